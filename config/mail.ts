import { join, resolve } from 'node:path'
import { defineConfig, transports } from '@adonisjs/mail'
import env from '#start/env'
import { FileTransport } from '#mails/file_transport'

const host = env.get('SMTP_HOST')
const port = env.get('SMTP_PORT')
const user = env.get('SMTP_USERNAME')

/** On loopback no attacker in the network can read along. */
const isLoopback = /^(localhost|127(\.\d+){3}|::1)$/.test(host)

/** The folder of mail files, where mails are written while none are sent. */
export const mailFilesDir = join(resolve(env.get('DATA_DIR')), 'outbox')

/**
 * How often a delivery is tried again, and after how long: 2 s, 4 s, 8 s and so on up to
 * an hour, about five hours in all. A restart of the mail server delays a mail by seconds,
 * and a mail survives a server that is down for hours.
 */
export const retries = { max: 16, firstDelayMs: 2_000, longestDelayMs: 3_600_000 }

/**
 * `outbox` (the default) writes mail files; `smtp` sends.
 *
 * Port 465 uses TLS from the start, any other port upgrades when the server offers it.
 * Except on loopback, the password is never sent in clear, and the certificate has to be
 * valid: an attacker in the network could otherwise read or replace both.
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
