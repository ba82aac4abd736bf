import type { I18n } from '@adonisjs/i18n'
import type { HttpContext } from '@adonisjs/core/http'
import { findOutboundPause } from '#backup/outbound_pause'
import { countMails, listMails, MAIL_STATUSES, type MailStatus } from '#mails/log/mail_log'
import { readMailFile, writesMailFiles } from '#mails/log/mail_file'
import { retryMail } from '#mails/queue/retry_mail'
import { subjectOf } from '#mails/templates/subject'
import { canonicalEmail } from '#models/email'
import { redirectWithNotice } from '#pages/redirect'
import { actorOf } from '#http/request_source'

const PAGE_SIZE = 30

export default class MailsController {
  async index({ request, view, i18n }: HttpContext) {
    return view.render('admin/mails', await mailsPage(request.qs(), i18n))
  }

  /** Shows a mail only while mails are written to files. */
  async show(ctx: HttpContext) {
    const mail = await readMailFile(ctx.params.id, actorOf(ctx))
    const subject = mail && subjectOf(ctx.i18n, mail.kind)
    if (mail) return ctx.view.render('admin/mail', { mail: { ...mail, subject } })
    const notice = ctx.i18n.t('console.mails.not_written')
    return redirectWithNotice(ctx, '/admin/mails', notice)
  }

  async retry(ctx: HttpContext) {
    const isQueued = await retryMail(ctx.params.id, actorOf(ctx))
    const notice = ctx.i18n.t(`console.mails.${isQueued ? 'requeued' : 'had_not_failed'}`)
    return redirectWithNotice(ctx, '/admin/mails?status=failed', notice)
  }
}

async function mailsPage(input: Record<string, string>, i18n: I18n) {
  const { page, status, recipient } = readFilter(input)
  const [{ data, meta }, counts] = await Promise.all([
    listMails({ status, recipient, page, limit: PAGE_SIZE }),
    countMails(),
  ])
  return {
    pause: await findOutboundPause(),
    form: { input, errors: {} },
    mails: data.map((mail) => ({ ...mail, subject: subjectOf(i18n, mail.kind) })),
    total: meta.total,
    counts,
    writesMailFiles: writesMailFiles(),
    previous: page > 1 ? pagePath(input, status, page - 1) : null,
    next: page * PAGE_SIZE < meta.total ? pagePath(input, status, page + 1) : null,
  }
}

function readFilter(input: Record<string, string>) {
  return {
    page: Math.min(10_000, Math.max(1, Number.parseInt(input.page) || 1)),
    status: MAIL_STATUSES.find((known) => known === input.status),
    recipient: input.recipient ? recipientOf(input.recipient) : undefined,
  }
}

/** Keeps an invalid address, so that it matches no mail instead of every mail. */
function recipientOf(text: unknown) {
  return canonicalEmail(String(text)) ?? String(text)
}

function pagePath(input: Record<string, string>, status: MailStatus | undefined, page: number) {
  const parameters = new URLSearchParams({ page: String(page) })
  if (status) parameters.set('status', status)
  if (input.recipient) parameters.set('recipient', input.recipient)
  return `/admin/mails?${parameters}`
}
