import { cruiseRepository, unseen } from './support/tree.ts';

/** `npm run architecture`: the forbidden imports of this repository, each with its reason. */
const cruised = await cruiseRepository();
const comments = new Map(cruised.rules.map(({ name, comment }) => [name, comment ?? '']));
const complaints = [
  ...unseen(cruised),
  ...cruised.violations.map(
    ({ rule, from, to }) => `${from} → ${to}\n  ${rule}: ${comments.get(rule)}`,
  ),
];
for (const complaint of complaints) process.stderr.write(`${complaint}\n`);
process.stdout.write(
  `${cruised.imports.size} modules, ${cruised.rules.length} rules, ${complaints.length} violations\n`,
);
if (complaints.length > 0) process.exitCode = 1;
