/** Of what the server answered: enough to find the cause. */
const MOST = 200

export interface SmtpFailure {
  reason: 'mail_unreachable' | 'mail_not_secure' | 'mail_login' | 'mail_refused' | 'mail_no_smtp'
  /** Empty where the other side did not answer by SMTP. */
  reply: string
}

interface SmtpError {
  code?: string
  response?: string
}

/** Another service than SMTP may answer: nothing of it is shown. */
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
