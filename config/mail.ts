import { join, resolve } from 'node:path'
import { defineConfig } from '@adonisjs/mail'
import env from '#start/env'
import { FileTransport } from '#mails/file_transport'

export const mailFilesDir = join(resolve(env.get('DATA_DIR')), 'outbox')

export const retries = { max: 16, firstDelayMs: 2_000, longestDelayMs: 3_600_000 }

/** Settings name the mail server, and may change while a process runs (`app/mails/mailer.ts`). */
export default defineConfig({
  default: 'outbox',
  mailers: { outbox: () => new FileTransport(mailFilesDir) },
})

declare module '@adonisjs/mail/types' {
  export interface MailersList {
    outbox: any
  }
}
