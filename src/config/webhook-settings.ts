import { mayBePublic } from '../platform/http-public-addresses.ts';
import { hidden } from './configuration-error.ts';
import type { Readers } from './readers.ts';
import type { WebhookSettings } from './settings.ts';
import type { Sources } from './sources.ts';

const URL_NAME = 'APP_WEBHOOK_URL';
const SECRET_NAME = 'APP_WEBHOOK_SECRET';
const PRIVATE_NAME = 'APP_WEBHOOK_PRIVATE_ADDRESSES';
const MOST_CHARACTERS = 2_000;
const LEAST_BYTES = 24;
const MOST_BYTES = 64;

/** `whsec_` and 24 to 64 bytes in base64, as Standard Webhooks has it. */
function isSecretForm(text: string): boolean {
  const base64 = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/.exec(
    text,
  );
  const bytes = Buffer.from(base64?.[1] ?? '', 'base64').length;
  return bytes >= LEAST_BYTES && bytes <= MOST_BYTES;
}

/** The webhook of the settings needs its address and its secret; one of the two alone is a mistake. */
export function readWebhooks(read: Readers, sources: Sources): WebhookSettings {
  const privateAddresses = read.flag(PRIVATE_NAME, false);
  const url = sources.get(URL_NAME);
  const secret = sources.get(SECRET_NAME);
  if (url === null && secret !== null) {
    read.refuse(URL_NAME, 'nothing', `the address of the webhook, since ${SECRET_NAME} is set`);
  }
  if (url !== null && secret === null) {
    const takes = `the secret with which requests are signed, since ${URL_NAME} is set`;
    read.refuse(SECRET_NAME, 'nothing', takes);
  }
  if (secret !== null && !isSecretForm(secret)) {
    read.refuse(SECRET_NAME, hidden(secret), 'whsec_ and the base64 of 24 to 64 bytes');
  }
  if (url !== null) refuseAddress(read, url, privateAddresses);
  return { privateAddresses, url };
}

/** An address is never shown: those of many receivers hold a secret of their own. */
function refuseAddress(read: Readers, url: string, privateAddresses: boolean): void {
  const parsed = URL.canParse(url) && url.length <= MOST_CHARACTERS ? new URL(url) : null;
  const isAddress =
    parsed !== null &&
    /^https?:$/.test(parsed.protocol) &&
    parsed.username + parsed.password + parsed.hash === '';
  if (!isAddress) {
    const takes = 'an http or https address without user and fragment, of at most 2000 characters';
    read.refuse(URL_NAME, hidden(url), takes);
  } else if (!privateAddresses && !mayBePublic(parsed.hostname)) {
    const got = 'an address of this computer or its network';
    read.refuse(URL_NAME, got, `a public address while ${PRIVATE_NAME} is not true`);
  }
}
