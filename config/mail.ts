import { join, resolve } from 'node:path'
import { defineConfig, transports } from '@adonisjs/mail'
import env from '#start/env'
import { FileTransport } from '#mails/file_transport'

const host = env.get('SMTP_HOST')
const port = env.get('SMTP_PORT')
const user = env.get('SMTP_USERNAME')

/** Nobody listens between this machine and itself. */
const isLoopback = /^(localhost|127(\.\d+){3}|::1)$/.test(host)

/** Where mails are put while none are sent: one file each. */
export const mailFilesDir = join(resolve(env.get('DATA_DIR')), 'outbox')

/**
 * How often a mail is tried again, and after how long: 2 s, 4 s, 8 s and so on up to an
 * hour, about five hours in all. A mail server that is restarted costs seconds, one that
 * is down for an evening costs nothing but patience.
 */
export const retries = { max: 16, firstDelayMs: 2_000, longestDelayMs: 3_600_000 }

/**
 * `outbox` (the default) writes files; `smtp` sends.
 *
 * Port 465 speaks TLS from the start, any other upgrades when the server can. A password
 * is never sent over an open network in clear, and a certificate counts only if it is
 * valid, except for a server on this very machine.
 */
export default defineConfig({
  default: env.get('MAIL_MAILER'),
  from: env.get('MAIL_FROM'),
  mailers: {
    outbox: () => new FileTransport(mailFilesDir),
    smtp: transports.smtp({
      host,
      port,
      secure: port === 465,
      requireTLS: Boolean(user) && !isLoopback,
      tls: { rejectUnauthorized: !isLoopback },
      auth: user ? { type: 'login', user, pass: env.get('SMTP_PASSWORD') ?? '' } : undefined,
      connectionTimeout: 5_000,
      greetingTimeout: 10_000,
      socketTimeout: 30_000,
    }),
  },
})

declare module '@adonisjs/mail/types' {
  export interface MailersList {
    outbox: any
    smtp: any
  }
}
