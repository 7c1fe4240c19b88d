// A raw vat, which speaks with the kernel itself: its reads of its own store are single system calls, with nothing of
// ours before or behind them.

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
