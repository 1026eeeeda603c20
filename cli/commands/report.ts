import type { Answer } from '../../client/index.ts';
import { accountName, figureText, ordersText } from '../../src/domain/report-words.ts';
import { rupees } from '../../src/domain/rupees.ts';
import {
  type AddCommands,
  BROKER_OPTION,
  type CommonOptions,
  type Context,
  given,
  JSON_OPTION,
  type Result,
} from '../command.ts';
import { dateAndTimeOf } from '../table.ts';

interface ReportOptions extends CommonOptions {
  readonly broker?: string;
}
type Report = Answer<'getDayReport'>['data'];
type Account = Report['keys'][number]['accounts'][number];

/** `report`. */
export const addReportCommand: AddCommands = (program, run) => {
  program
    .command('report')
    .description('what a day has made and cost, by account and by key')
    .argument('[day]', 'such as 2026-11-23', 'today')
    .option(...BROKER_OPTION)
    .option(...JSON_OPTION)
    .action((day: string, options: ReportOptions) =>
      run(options, (context) => readReport(context, day, options)),
    );
};

async function readReport(
  { client }: Context,
  day: string,
  { broker }: ReportOptions,
): Promise<Result> {
  const { data } = await client.getDayReport({ day, ...given({ broker }) });
  const goesOn = data.isToday ? ', which goes on' : '';
  return {
    json: { data },
    lines: [
      `Report of ${data.day}${goesOn}, as of ${dateAndTimeOf(data.asOf)} IST`,
      ...(data.isTradingDay ? [] : ['The markets do not trade on this day.']),
      ...(data.accounts ?? []).flatMap((account) => [
        ...accountLines('', account),
        `  Elsewhere      ${account.elsewhere ?? 'not known how many'} filled orders placed elsewhere`,
      ]),
      ...data.keys.flatMap(keyLines),
      ...data.unreadOrders.map((id) => `Cannot be read in the journal, and is in no figure: ${id}`),
    ],
  };
}

const keyLines = ({ key, name, accounts }: Report['keys'][number]): readonly string[] =>
  accounts.length === 0
    ? ['', `Key ${name ?? key}: nothing was done`]
    : accounts.flatMap((account) => accountLines(`Key ${name ?? key}, `, account));

function accountLines(of: string, account: Account): readonly string[] {
  const { fills, orders, uncertainOrders } = account;
  const side = (amount: number | null): string => (amount === null ? 'not known' : rupees(amount));
  const why = fills.note === null ? '' : `: ${fills.note}`;
  return [
    '',
    `${of}${accountName(account)}${account.account === null ? '' : ` ${account.account}`}`,
    `  Profit         ${figureText(account.profit, true)}`,
    `  Charges        ${figureText(account.charges, false)}`,
    `  After charges  ${figureText(account.net, true)}`,
    `  Realised       ${figureText(account.realised, true)}`,
    `  Orders         ${ordersText(orders)}`,
    `  Fills          ${fills.count ?? 'not known how many'}, bought for ${side(fills.bought)}, sold for ${side(fills.sold)}${why}`,
    ...uncertainOrders.map((id) => `  Uncertain      ${id}`),
  ];
}
