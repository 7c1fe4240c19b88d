export default syscall =>
  harden({
    deliver(_target, method, args, result) {
      if (method !== 'send') return;
      const [honest, count] = [args.slots[0], JSON.parse(args.body)[1]];
      // The result is passed on: whoever asked gets honest's answer.
      syscall.send(honest, 'count', { body: `[${'1,'.repeat(count - 1)}1]`, slots: [] }, result);
    },
    notifyFulfillToData() {},
    notifyFulfillToPresence() {},
    notifyReject() {},
  });
