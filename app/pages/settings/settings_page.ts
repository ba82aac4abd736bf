import type { HttpContext } from '@adonisjs/core/http'
import type { TestResult } from '#settings/test_provider'
import { listProviders } from '#settings/external_providers'
import { listSettings, type Setting } from '#settings/list_settings'
import config from '#config/settings'
import { isConfirmed } from '#pages/reauthentication/reauthentication'
import { EMPTY_FORM, type Form } from '#pages/forms/forms'
import { previewsOf } from './brand_preview.ts'
import { CARDS, fieldsOf, valueText, type Card } from './setting_fields.ts'
import { BEFORE, typedInput } from './setting_form.ts'
import { sealTypedSecret } from './typed_secret.ts'

export interface Shown {
  /** The form that was sent, with what was typed. */
  card?: Card | 'provider' | 'logo'
  form?: Form
  /** The result of a test. */
  result?: TestResult
}

export async function renderSettings(ctx: HttpContext, shown: Shown = {}) {
  const { settings, etag } = await listSettings(ctx.i18n.locale)
  const names = Object.keys(CARDS) as Card[]
  const cards = names.map((card) => [card, cardOf(ctx, card, { settings, shown })])
  return ctx.view.render('admin/settings', {
    cards: Object.fromEntries(cards),
    previews: previewsOf(ctx, settings),
    providers: await listProviders(),
    provider: providerForm(ctx, shown),
    logo: logoOf(settings, shown),
    ...allSettings(ctx, settings),
    etag,
    isLocked: !config.inConsole,
    isConfirmed: isConfirmed(ctx),
  })
}

interface Source {
  settings: Setting[]
  shown: Shown
}

function cardOf(ctx: HttpContext, card: Card, { settings, shown }: Source) {
  const fields = fieldsOf(ctx.i18n, card, settings)
  const stored = Object.fromEntries(fields.map(({ name, stored: text }) => [name, text]))
  const isSent = shown.card === card
  const input = isSent ? typedInput(ctx, card, stored) : stored
  const now = fields.filter(({ name, stored: text }) => isSent && isStale(ctx, name, text))
  return {
    form: { ...(isSent ? (shown.form ?? EMPTY_FORM) : EMPTY_FORM), input },
    fields,
    changedMeanwhile: now.map(({ label, effective }) => ({ label, effective })),
    result: isSent ? shown.result : null,
    sealed: isSent && card === 'mail' ? sealTypedSecret(ctx, 'SMTP_PASSWORD') : null,
    isWritable: fields.some(({ isWritable }) => isWritable),
  }
}

/** Whether another administrator has changed the setting since the form was opened. */
function isStale({ request }: HttpContext, name: string, stored: string) {
  const before = request.input(BEFORE + name)
  return typeof before === 'string' && before !== stored
}

function providerForm(ctx: HttpContext, { card, form, result }: Shown) {
  if (card !== 'provider') return { form: EMPTY_FORM, result: null, sealed: null }
  return { form: form ?? EMPTY_FORM, result, sealed: sealTypedSecret(ctx, 'clientSecret') }
}

function logoOf(settings: Setting[], { card, form }: Shown) {
  const { writable, source } = settings.find(({ key }) => key === 'BRAND_LOGO')!
  const error = card === 'logo' ? Object.values(form?.errors ?? {})[0]?.[0] : null
  return { isWritable: writable, isStored: source === 'console', error }
}

/** Lists the settings that somebody has set before the defaults. */
function allSettings({ i18n }: HttpContext, settings: Setting[]) {
  const rows = settings.map((setting) => ({ ...setting, text: valueText(i18n, setting) }))
  return {
    given: rows.filter(({ source }) => source !== 'default'),
    defaults: rows.filter(({ source }) => source === 'default'),
  }
}
