import { defineConfig, transports } from '@adonisjs/mail'
import env from '#start/env'

const user = env.get('SMTP_USERNAME')

export default defineConfig({
  default: 'smtp',
  from: env.get('MAIL_FROM'),
  mailers: {
    smtp: transports.smtp({
      host: env.get('SMTP_HOST'),
      port: env.get('SMTP_PORT'),
      auth: user ? { type: 'login', user, pass: env.get('SMTP_PASSWORD') ?? '' } : undefined,
    }),
  },
})
