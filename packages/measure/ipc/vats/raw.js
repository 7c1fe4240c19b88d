// A raw vat, which makes syscalls directly: its reads of its own store are single system calls,
// without code of the supervisor around them.

export default (syscall, _state, _helpers, { mark }) => ({
  deliver(_target, method, args) {
    const [times] = JSON.parse(args.body);
    if (method === 'write') {
      syscall.vatstoreSet('key', 'a value of some bytes');
      return;
    }
    for (let i = 0; i < times; i += 1) {
      mark();
      syscall.vatstoreGet('key');
      mark();
    }
  },
  notify() {},
});
