// Translates a vat of a conformance program from the API of 2020 into today's.

/**
 * @param {string} text  of a vat's module, as the generator of the conformance programs writes it
 * @param {string} vatName
 * @returns {string}
 * @throws {TypeError} the module has no such import or no such root
 */
export const translateVat = (text, vatName) => {
  const oldImport = "import { E } from '@agoric/eventual-send';";
  const oldRoot = '\n  root = harden({\n';
  for (const part of [oldImport, oldRoot])
    if (text.split(part).length !== 2)
      throw TypeError(
        `vat ${vatName} has ${text.split(part).length - 1} times ${part.trim()}; once is right`,
      );
  return text
    .replace(oldImport, "import { E, Far } from '@endo/far';")
    .replace(oldRoot, `\n  root = Far('${vatName} root', {\n`)
    .replaceAll('\n    return harden({\n', `\n    return Far('${vatName} thing', {\n`);
};
