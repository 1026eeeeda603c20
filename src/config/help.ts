/** The help of the commands that need no gateway, by their words (docs/command-line.md). */
export const COMMAND_HELP = {
  keys: `Usage: npx altbroker-gateway keys <command> [--json]

Lists and changes keys, while the gateway runs or not (docs/keys.md).

  keys list         lists the keys
  keys add NAME --scope read|trade|admin [--broker NAME] [--mode live|paper]
                    makes a key, and prints it this once
  keys rotate ID    gives it a new secret, and prints that this once
  keys revoke ID    ends it: its orders go on, and an admin can cancel them
  keys stop ID --reason TEXT
                    engages its own kill switch
  keys release ID   releases that
  keys limits ID [--max-order-value N] [--max-order-quantity N] [--max-open-orders N]
                 [--max-orders-per-minute N] [--max-daily-loss N]
                    replaces all its limits; those that are left out are none

  --json            prints JSON, for programs
  -h, --help        prints this`,

  backup: `Usage: npx altbroker-gateway backup DIR [--json]

Copies the data directory into a new directory in DIR, while the gateway runs or not (docs/operations.md).

  --json      prints JSON, for programs
  -h, --help  prints this`,

  restore: `Usage: npx altbroker-gateway restore DIR [--json]

Puts a backup back, from the directory that \`backup\` has made; the gateway must not run. What was there before is kept in
before-restore-… (docs/operations.md). The gateway starts disarmed on it: it sends nothing to a broker until
\`altbroker-gateway arm\` (docs/moving.md).

  --json      prints JSON, for programs
  -h, --help  prints this`,

  upgrade: `Usage: npx altbroker-gateway upgrade DIR [--json]

Makes a backup in DIR, brings the data directory to this version, and reads every row; the gateway must not run. It sends
nothing to any broker (docs/moving.md).

  --json      prints JSON, for programs
  -h, --help  prints this`,

  mcp: `Usage: npx altbroker-gateway mcp

Connects an assistant, by its standard streams, with the gateway that runs. The assistant starts this command
(docs/assistants.md).

  APP_MCP_KEY  the key of the assistant; it is required
  APP_MCP_URL  where the gateway takes assistants; http://127.0.0.1:8420/mcp, with APP_PORT, when absent
  -h, --help   prints this`,
} as const;

/** Of `start`, which is also what \`npm start\` does without a word. */
export const START_HELP = `Usage: npx altbroker-gateway start

Starts the gateway, one local server in front of your brokers. Ctrl+C stops it, after the work on its way. In a clone
\`npm start\` does the same, and takes the commands keys, backup, restore and upgrade too, as in
\`npm start -- keys list\`.

  -h, --help     prints this
  -v, --version  prints the version

Every setting is a variable of the environment or a line of the file .env in the current directory;
.env.example lists them all, with their defaults. Without any, the gateway runs with a paper account
on http://127.0.0.1:8420, and writes its admin key to data/admin-key.

npx altbroker-gateway --help lists all commands: status, order, exit and others use the gateway that runs.`;
