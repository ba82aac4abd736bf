import { join, resolve } from 'node:path'
import { defineConfig, transports } from '@adonisjs/mail'
import env from '#start/env'
import { FileTransport } from '#mails/file_transport'

const host = env.get('SMTP_HOST')
const port = env.get('SMTP_PORT')
const user = env.get('SMTP_USERNAME')

const isLoopback = /^(localhost|127(\.\d+){3}|::1)$/.test(host)

export const mailFilesDir = join(resolve(env.get('DATA_DIR')), 'outbox')

export const retries = { max: 16, firstDelayMs: 2_000, longestDelayMs: 3_600_000 }

/** Without TLS and a valid certificate, an attacker in the network could read or replace mails. */
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
