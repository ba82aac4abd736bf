import { Mailer } from '@adonisjs/mail'
import emitter from '@adonisjs/core/services/emitter'
import mail from '@adonisjs/mail/services/main'
import { SMTPTransport } from '@adonisjs/mail/transports/smtp'
import type { MailTransportContract } from '@adonisjs/mail/types'
import type { MailServer } from '#settings/values/mail_server'

/** In milliseconds. A server that hangs holds a job for this time. */
const timeouts = { connectionTimeout: 5_000, greetingTimeout: 10_000, socketTimeout: 30_000 }

const mailers = new WeakMap<MailServer, Mailer<MailTransportContract>>()

/** A connection lasts for one mail, so that a mailer of earlier settings has nothing to close. */
export function mailerOf(server: MailServer): Mailer<MailTransportContract> {
  if (server.mailer === 'outbox') return mail.use('outbox')
  const mailer =
    mailers.get(server) ?? new Mailer('smtp', new SMTPTransport(optionsOf(server)), emitter)
  mailers.set(server, mailer)
  return mailer
}

/** Without TLS and a valid certificate, an attacker in the network could read or replace mails. */
export function optionsOf({ host, port, username, password = '' }: MailServer) {
  const isLoopback = /^(localhost|127(\.\d+){3}|::1)$/.test(host)
  return {
    host,
    port,
    secure: port === 465,
    requireTLS: Boolean(username) && !isLoopback,
    tls: { rejectUnauthorized: !isLoopback },
    auth: username ? { type: 'login' as const, user: username, pass: password } : undefined,
    ...timeouts,
  }
}
