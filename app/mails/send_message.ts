import { mailFileName } from '#mails/log/mail_file'
import { mailerOf } from './mailer.ts'
import type { MailServer } from '#settings/values/mail_server'
import type { FileTransportOptions } from './file_transport.ts'
import type { MailMessage } from './templates/message.ts'

/** Every try has the same Message-ID, by which a receiver recognises a repetition. */
export function sendMessage(
  { row, recipient, texts, messageId }: Omit<MailMessage, 'via'>,
  server: MailServer
) {
  return mailerOf(server).send(
    (message) => {
      message
        .from(server.from)
        .to(recipient)
        .subject(texts.subject)
        .messageId(messageId)
        .header('Auto-Submitted', 'auto-generated')
        .header('X-Auto-Response-Suppress', 'All')
        .htmlView('mails/message', texts)
        .text(texts.text)
    },
    { fileName: mailFileName(row) } satisfies FileTransportOptions as never
  )
}
