export const buildRootDeviceNode = ({ store, node, onNode, handOut, wakeAt, onWake }) => {
  onNode(name => harden({ name: () => name }));
  onWake(() => {});
  return harden({
    keep: (key, value) => store.set(key, value),
    recall: key => store.get(key),
    remove: key => store.delete(key),
    next: key => store.nextKey(key),
    node: name => node(name),
    hand: data => handOut(data),
    wake: time => wakeAt(time),
  });
};
