// The colours of diagrams. Kinds differ by shape, line and label too, never by colour alone.

export const colours = Object.freeze({
  ink: '#1f2933',
  faded: '#5b6673',
  reactors: Object.freeze(['#f4f7fb', '#ffffff', '#eef3f9']),
  reactorLine: '#8799ad',
  mode: '#fff8e6',
  modeLine: '#b7791f',
  vat: '#eef7f1',
  vatLine: '#3f8f63',
  reaction: '#d9e2ec',
  mutation: '#e9dcf3',
  reactionLine: '#52606d',
  sign: '#ffffff',
  warning: '#b3261e',
  connection: '#243b53',
  link: '#7b8794',
});
