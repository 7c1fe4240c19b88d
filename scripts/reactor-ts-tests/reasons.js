/**
 * The reason why a test of reactor-ts fails here, by file and title.
 *
 * @type {Record<string, string>}
 */
export const reasons = Object.fromEntries(
  [
    'Intended tag tests › Undefined intended tag',
    'Intended tag tests › Intended tag smaller than current tag',
    'Intended tag tests › Intended tag equal to current tag',
    'Intended tag tests › Intended tag greater than current tag',
    'Intended tag tests › Intended tag greater than current tag by microstep',
    'Intended tag tests when TAG is provisional › Intended tag smaller than current tag',
    'Intended tag tests when TAG is provisional › Intended tag equal to current tag',
    'Intended tag tests when TAG is provisional › Intended tag greater than current tag',
    'Intended tag tests when TAG is provisional › Intended tag greater than current tag by microstep',
  ].map(title => [`action.test.ts: ${title}`, 'FederatePortAction is refused']),
);
