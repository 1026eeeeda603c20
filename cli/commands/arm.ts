import {
  type AddCommands,
  type AskingOptions,
  confirm,
  JSON_OPTION,
  YES_OPTION,
} from '../command.ts';

/** `arm`: the user says that the gateway of a copied directory's original is stopped (docs/moving.md). */
export const addArmCommand: AddCommands = (program, run) => {
  program
    .command('arm')
    .description('lets orders pass on a copied or restored data directory; needs an admin key')
    .option(...YES_OPTION)
    .option(...JSON_OPTION)
    .action((options: AskingOptions) =>
      run(options, async (context) => {
        const lines = [
          'Two gateways on copies of one data directory can sell a position twice.',
          'Go on once the gateway on the original is stopped, and will not be started again.',
        ];
        await confirm(context, options, lines, 'Is the old gateway stopped for good?');
        const { data } = await context.client.arm({ body: { oldGatewayIsStopped: true } });
        const text = data.wasDisarmed
          ? 'Armed: orders pass from now on. The journal has who said so.'
          : 'Nothing to do: orders passed before already.';
        return { json: { data }, lines: [text] };
      }),
    );
};
