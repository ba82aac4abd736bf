import { randomBytes } from 'node:crypto'

/* Standard Webhooks 1.0: an HMAC over id, time and body, so that none of them can be exchanged. */

/** The standard asks for 192 to 512 bits; the hash has 256. */
const SECRET_BYTES = 32

/** Most receivers keep the secret with its prefix, which tells what it is for. */
const PREFIX = 'whsec_'

export function newWebhookSecret(bytes = randomBytes(SECRET_BYTES)) {
  return `${PREFIX}${bytes.toString('base64')}`
}

/** Checks a secret that was not made here. */
export function isWebhookSecret(text: string) {
  const base64 = text.startsWith(PREFIX) ? text.slice(PREFIX.length) : ''
  if (!/^[A-Za-z0-9+/]{32,86}={0,2}$/.test(base64)) return false
  const { length } = Buffer.from(base64, 'base64')
  return length >= 24 && length <= 64
}

interface Message {
  id: string
  /** Time of this try in milliseconds. Receivers refuse a signature that is five minutes old. */
  timestamp: number
}

/** @param secrets all that receivers may have: two for a day after a rotation */
export async function createSigner(secrets: string[]) {
  const { Webhook } = await import('standardwebhooks')
  const webhooks = secrets.map((secret) => new Webhook(secret))
  return (body: string, { id, timestamp }: Message): Record<string, string> => {
    const at = new Date(timestamp)
    return {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(timestamp / 1_000)),
      'webhook-signature': webhooks.map((webhook) => webhook.sign(id, at, body)).join(' '),
    }
  }
}
