import { v7 as uuidv7 } from 'uuid'
import { appUrl } from '#config/app'
import { assertMay } from '#auth/callers/permissions'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { i18nFor } from '#i18n/locales'
import { plainText } from '#mails/templates/format'
import { textsOf } from '#mails/templates/texts'
import { sendMessage } from '#mails/send_message'
import User from '#models/user'
import { applyChanges } from './apply_changes.ts'
import { ensureSettings } from '#settings/values/ensure_settings'
import { storedSettings } from '#settings/values/current'
import { assertPasswordFits, mailServerOf } from '#settings/values/mail_server'
import { assertUnlocked, readChanges } from './read_changes.ts'
import { replyOf, type SmtpFailure } from './smtp_reply.ts'
import { throttleTests } from './throttle.ts'
import type { TestResult } from './test_provider.ts'
import type { Actor } from '#audit/actor'
import type { MailServer } from '#settings/values/mail_server'

/**
 * Mails the administrator with the typed settings (see `PATCH /settings`) and does not store them.
 * A stored password is used only for the server that it was saved with.
 * @throws E_VALIDATION_ERROR, E_SETTINGS_LOCKED, E_TOO_MANY_REQUESTS, and what `assertMay` throws
 */
export async function testMail(
  input: Record<string, unknown>,
  actor: Actor,
  locale = 'en'
): Promise<TestResult> {
  assertUnlocked(actor)
  assertMay('settings', actor)
  const changes = readChanges(input)
  await ensureSettings()
  const rows = applyChanges(changes, storedSettings())
  assertPasswordFits(rows)
  const user = actor.id === null ? null : await User.find(actor.id)
  if (!user?.mailbox) throw new E_NOT_FOUND()
  await throttleTests(actor)
  const failure = await attempt(user, mailServerOf(rows))
  const i18n = i18nFor(locale)
  if (failure === null)
    return { ok: true, message: i18n.t('settings.test.mailed', { email: user.email }) }
  return {
    ok: false,
    message: i18n.t(`settings.test.${failure.reason}`, {
      reply: failure.reply || 'empty',
    }),
  }
}

async function attempt(user: User, server: MailServer): Promise<SmtpFailure | null> {
  const row = { id: uuidv7(), kind: 'test' as const, recipient: user.email, created_at: Date.now() }
  const i18n = i18nFor(user.locale)
  const mail = { ...row, user_id: user.id, payload: null, budget: null, attempts: 0 }
  const draft = { row: mail, contents: {}, name: plainText(user.username), link: null }
  const messageId = `${row.id}@${new URL(appUrl).hostname}`
  try {
    const texts = textsOf(i18n, draft)
    await sendMessage({ row: mail, recipient: user.email, texts, messageId }, server)
    return null
  } catch (error) {
    return replyOf(error)
  }
}
