/** Mistakes about whose row an order is, and about which refusals are believed; see `PlantedBug`. */
export const BUGS_ABOUT_ROWS_AND_REFUSALS = [
  {
    name: 'a repeat that spells its instrument in another way is another request',
    edits: [
      {
        file: 'src/execution/submit/request-identity.ts',
        find: 'const { instrument, listsAreWhole } = await resolve(written);',
        replace: 'const [instrument, listsAreWhole]: [Instrument | null, boolean] = [null, true];',
      },
    ],
  },
];
