// The types of @endo/module-source are TypeScript sources that import from this module, which has no types of its own.
declare module '@babel/generator' {
  export interface GeneratorOptions {}
  const generate: unknown;
  export default generate;
}
