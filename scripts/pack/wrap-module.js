// One module of ours as a function: its text stays as it is, letter for letter and line for line, but for `import` and
// `export`. What a vat can read of a function (its name, its text) is the same as when the module is loaded by Node.

import { parse } from '@babel/parser';
import vm from 'node:vm';

/**
 * @typedef {object} Import
 * @property {string} name  the packed file, or the name that the source has
 * @property {boolean} isPacked
 * @property {string} specifier  the name that the source has
 */

/**
 * @typedef {object} WrappedModule
 * @property {string} text  an expression: a function that takes the module's own things and its dependencies
 *   (packages/packed/modules.js)
 * @property {Import[]} imports  in order
 * @property {Import[]} later  packed files that it imports when it needs them
 */

/** @typedef {any} Node  of Babel's tree */

/** @param {Node} node  an identifier or a string */
const nameOf = node => (node.type === 'Identifier' ? node.name : node.value);

/** @param {Node} node @param {(node: Node) => void} visit */
const walk = (node, visit) => {
  visit(node);
  for (const value of Object.values(node)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (typeof each?.type === 'string') walk(each, visit);
    }
  }
};

/** Names that a declaration binds. @param {Node} declaration @returns {string[]} */
const namesOf = declaration => {
  if (declaration.type !== 'VariableDeclaration') return [declaration.id.name];
  if (declaration.kind !== 'const') throw Error(`an export is declared with ${declaration.kind}`);
  /** @param {Node} pattern @returns {string[]} */
  const bound = pattern => {
    if (pattern.type === 'Identifier') return [pattern.name];
    if (pattern.type !== 'ObjectPattern') throw Error(`an export binds a ${pattern.type}`);
    return pattern.properties.flatMap((/** @type {Node} */ { value }) => bound(value));
  };
  return declaration.declarations.flatMap((/** @type {Node} */ { id }) => bound(id));
};

/** Spaces in the place of a text, so that everything else keeps its line and column. @param {string} text */
const blank = text => text.replace(/[^\n]/g, ' ');

class Wrapper {
  /** @type {[start: number, end: number, text: string][]} */
  #edits = [];

  /** @type {Import[]} */
  imports = [];

  /** @type {Import[]} */
  later = [];

  /** Declarations of what is imported. @type {string[]} */
  #bindings = [];

  /** Getters, since a function can be exported before its module has run. @type {string[]} */
  #exports = [];

  /** Places in `imports` of modules that are exported whole. @type {number[]} */
  #whole = [];

  #source;

  #resolve;

  /** @param {string} source @param {(specifier: string) => string | undefined} resolve */
  constructor(source, resolve) {
    this.#source = source;
    this.#resolve = resolve;
  }

  /** @param {Node} node  with a source @returns {number} */
  #depend(node) {
    const specifier = node.source.value;
    const file = this.#resolve(specifier);
    const name = file ?? specifier;
    const found = this.imports.findIndex(each => each.name === name);
    if (found >= 0) return found;
    return this.imports.push({ name, specifier, isPacked: file !== undefined }) - 1;
  }

  /** @param {number} start @param {number} end */
  #erase(start, end) {
    this.#edits.push([start, end, blank(this.#source.slice(start, end))]);
  }

  /** @param {string} name @param {string} value */
  #export(name, value) {
    this.#exports.push(`get ${JSON.stringify(name)}() { return ${value}; }`);
  }

  /** @param {Node} node */
  #import(node) {
    const place = this.#depend(node);
    const named = [];
    for (const each of node.specifiers) {
      const local = each.local.name;
      if (each.type === 'ImportNamespaceSpecifier')
        this.#bindings.push(`${local} = $imports[${place}].namespace`);
      else {
        const name = each.type === 'ImportDefaultSpecifier' ? 'default' : nameOf(each.imported);
        named.push(name === local ? name : `${JSON.stringify(name)}: ${local}`);
      }
    }
    if (named.length > 0)
      this.#bindings.push(`{ ${named.join(', ')} } = $imports[${place}].exports`);
    this.#erase(node.start, node.end);
  }

  /** @param {Node} node */
  #exportNamed(node) {
    const { declaration, specifiers } = node;
    if (declaration) {
      for (const name of namesOf(declaration)) this.#export(name, name);
      this.#erase(node.start, declaration.start);
      return;
    }
    const place = node.source ? this.#depend(node) : undefined;
    for (const each of specifiers) {
      const from = `$imports[${place}]`;
      if (place === undefined) this.#export(nameOf(each.exported), each.local.name);
      else if (each.type === 'ExportNamespaceSpecifier')
        this.#export(nameOf(each.exported), `${from}.namespace`);
      else
        this.#export(
          nameOf(each.exported),
          `${from}.exports[${JSON.stringify(nameOf(each.local))}]`,
        );
    }
    this.#erase(node.start, node.end);
  }

  /** @param {Node} node */
  #exportDefault({ start, declaration }) {
    if (declaration.id) {
      this.#export('default', declaration.id.name);
      this.#erase(start, declaration.start);
      return;
    }
    // It would be named after the variable, and not `default`.
    if (/Function|Class/.test(declaration.type))
      throw Error('a default export has no name; give it one');
    this.#export('default', '$default');
    this.#edits.push([start, declaration.start, 'const $default = ']);
  }

  /** @param {Node} node */
  #replaceInside(node) {
    if (node.type === 'MetaProperty' && node.meta.name === 'import')
      this.#edits.push([node.start, node.end, '$own.meta']);
    if (node.type !== 'CallExpression' || node.callee.type !== 'Import') return;
    const [asked] = node.arguments;
    const file = asked.type === 'StringLiteral' ? this.#resolve(asked.value) : undefined;
    const { start, end } = node.callee;
    if (file === undefined) {
      this.#edits.push([start, end, '$own.import']);
      return;
    }
    this.later.push({ name: file, specifier: asked.value, isPacked: true });
    this.#edits.push([start, end, '$own.load'], [asked.start, asked.end, JSON.stringify(file)]);
  }

  /** @returns {WrappedModule} */
  wrap() {
    const { program } = parse(this.#source, { sourceType: 'module' });
    for (const node of program.body) {
      if (node.type === 'ImportDeclaration') this.#import(node);
      else if (node.type === 'ExportNamedDeclaration') this.#exportNamed(node);
      else if (node.type === 'ExportDefaultDeclaration') this.#exportDefault(node);
      else if (node.type === 'ExportAllDeclaration') {
        this.#whole.push(this.#depend(node));
        this.#erase(/** @type {number} */ (node.start), /** @type {number} */ (node.end));
      }
    }
    walk(program, node => this.#replaceInside(node));
    const bindings = this.#bindings.length === 0 ? '' : `const ${this.#bindings.join(', ')};`;
    const text = [
      `(function ($own, $imports) { 'use strict';`,
      `$own.declare({ ${this.#exports.join(', ')} }, [${this.#whole.join()}]);`,
      `${bindings} ${this.#edited()}\n})`,
    ].join(' ');
    // A module that awaits at its top is refused here.
    void new vm.Script(text);
    return { text, imports: this.imports, later: this.later };
  }

  #edited() {
    const edits = this.#edits.sort(([a], [b]) => a - b);
    let text = '';
    let at = 0;
    for (const [start, end, replacement] of edits) {
      text += this.#source.slice(at, start) + replacement;
      at = end;
    }
    return text + this.#source.slice(at);
  }
}

/**
 * @param {string} source
 * @param {(specifier: string) => string | undefined} resolve  the packed file; undefined: none
 * @returns {WrappedModule}
 * @throws {Error} it awaits at its top, exports a `let`, or has a default export without a name
 */
export const wrapModule = (source, resolve) => new Wrapper(source, resolve).wrap();
