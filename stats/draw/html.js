/** @param {string} text @returns {string} as text or a quoted attribute of HTML */
export const escapeHtml = text =>
  text.replace(
    /[&<>"]/g,
    sign =>
      /** @type {{ [sign: string]: string }} */ ({
        '&': '&amp;',
        '<': '&lt;',
        '>': '&gt;',
        '"': '&quot;',
      })[sign],
  );
