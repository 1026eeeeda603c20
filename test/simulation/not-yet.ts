/**
 * What the simulation can play and the gateway does not bear yet: each with the finding that mends it.
 * It is played when it is named (`--fault NAME`), and by default once it is off this list.
 */
export const NOT_YET: ReadonlyMap<string, string> = new Map<string, string>([
  ['refused_after', '12, 13: refusals are believed by their text'],
]);
