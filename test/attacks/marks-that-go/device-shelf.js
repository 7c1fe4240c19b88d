import { Far } from '@endo/far';

export const buildRootDeviceNode = ({ node, onNode }) => {
  onNode?.(name => Far(`node ${name}`, { name: () => name }));
  return Far('shelf', { node: name => node(name) });
};
