export default syscall => delivery => {
  if (delivery[0] !== 'message') return;
  const { result } = delivery[2];
  if (result) syscall.resolve([[result, false, { body: '#1', slots: [] }]]);
};
