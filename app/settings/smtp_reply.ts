/** Characters of the server's reply that are shown: enough to find the cause. */
const MOST = 200

export interface SmtpFailure {
  reason: 'mail_unreachable' | 'mail_not_secure' | 'mail_login' | 'mail_refused' | 'mail_no_smtp'
  /** Empty if the other side did not answer by SMTP. */
  reply: string
}

interface SmtpError {
  code?: string
  response?: string
}

/** A service other than SMTP may answer: its text is not shown. */
export function replyOf({ code = '', response = '' }: SmtpError): SmtpFailure {
  const isReply = /^[245]\d\d[ -]/.test(response)
  const plain = response
    .replace(/[^\x20-\x7e]+/g, ' ')
    .trim()
    .slice(0, MOST)
  return { reason: reasonOf(code, isReply), reply: isReply ? plain : '' }
}

function reasonOf(code: string, isReply: boolean): SmtpFailure['reason'] {
  if (code === 'EAUTH') return 'mail_login'
  if (code === 'ETLS') return 'mail_not_secure'
  if (isReply) return 'mail_refused'
  return code === 'EPROTOCOL' ? 'mail_no_smtp' : 'mail_unreachable'
}
