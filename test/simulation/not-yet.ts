/**
 * What the simulation can play and the gateway does not bear yet: each with the finding that mends it.
 * It is played when it is named (`--fault NAME`), and by default once it is off this list.
 */
export const NOT_YET: ReadonlyMap<string, string> = new Map<string, string>([
  ['refused_after', '12, 13: refusals are believed by their text'],
  ['tag_lost', '10: a row without our tag is called absent at the close'],
  ['row_vanishes', '17: a foreign row that is gone stops all orders'],
  ['bad_id', '17: an id that a row had once is missed for the rest of the day'],
  ['late_fill', '14: fills after the end are not read'],
]);
