import type { HttpContext } from '@adonisjs/core/http'
import oidc from '#config/oidc'
import User from '#models/user'
import { findManaged } from '#configuration/managed'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { hasSecret, isPublic } from '#oidc/clients/client'
import { withDefaults } from '#oidc/clients/client_fields'
import { findClientById } from '#oidc/clients/client_rows'
import { findPreset, type Preset } from '#oidc/presets/preset'
import { registrationOf } from '#oidc/presets/registration'
import { countSessionsWith } from '#oidc/grants/end_grants'
import { lastGrantTimes } from '#oidc/records/grant_rows'
import { errorsOf } from '#pages/forms/form_errors'
import { EMPTY_FORM, type Form } from '#pages/forms/forms'
import { digestsOf, inputOfClient } from './client_form.ts'
import { issueFormToken } from '#pages/forms/form_token'
import { refusalsFor } from './client_refusals.ts'
import { getFlashedSecret } from './new_secret.ts'
import { fieldsOf } from './client_fields.ts'
import { presetGroups } from './preset_groups.ts'
import { remarksOn, settingsOf } from './settings.ts'

export const NEW_CLIENT = '/admin/clients/create'

/** @throws E_NOT_FOUND */
export async function getClientOrFail({ params }: HttpContext) {
  const client = await findClientById(params.id)
  if (!client) throw new E_NOT_FOUND()
  return client
}

/** `?for=` names the preset that fills the form in, `?url=` the address of the application. */
export async function renderNewClient(ctx: HttpContext, form: Form = EMPTY_FORM) {
  const { i18n, request } = ctx
  const preset = await findPreset(request.input('for'))
  const { address, proposed } = proposalOf(ctx, preset)
  const hint = i18n.t('clients.redirect_hint')
  const isExample = preset?.url && !address.input.url
  return ctx.view.render('admin/clients/create', {
    ...fieldsOf(i18n, form === EMPTY_FORM ? { input: proposed, errors: {} } : form),
    preset,
    address,
    remarks: preset ? remarksOn(ctx, preset) : [],
    choice: await presetGroups(ctx, NEW_CLIENT),
    hints: {
      redirectUris: isExample ? `${i18n.t('clients.replace_example')} ${hint}` : hint,
      authMethod: i18n.t('clients.auth_hint'),
    },
    formToken: issueFormToken(ctx),
  })
}

/** An invalid address is shown beside its error, and the form has the example of the preset. */
function proposalOf({ request, i18n }: HttpContext, preset: Preset | null) {
  const given = request.input('url')
  const input = { url: typeof given === 'string' ? given : undefined }
  const propose = (url?: string) =>
    inputOfClient(withDefaults({ name: '', ...(preset && registrationOf(preset, url)) }))
  try {
    return { address: { input, errors: {} }, proposed: propose(input.url || undefined) }
  } catch (error) {
    const errors = errorsOf(error, {}, i18n)
    if (!errors) throw error
    return { address: { input, errors }, proposed: propose() }
  }
}

export async function renderClient(ctx: HttpContext, form?: Form, logoError?: string) {
  const client = await getClientOrFail(ctx)
  const secret = getFlashedSecret(ctx, client.clientId)
  const [sessions, lastUsed] = await Promise.all([
    countSessionsWith(client.clientId),
    lastGrantTimes([client.clientId]),
  ])
  const { i18n } = ctx
  const managed = await findManaged({ kind: 'client', id: client.id })
  const authHint = i18n.t('clients.auth_hint')
  return ctx.view.render('admin/clients/show', {
    ...fieldsOf(i18n, { ...(form ?? { input: inputOfClient(client), errors: {} }), managed }),
    managed,
    hints: {
      redirectUris: i18n.t('clients.redirect_hint'),
      authMethod: isPublic(client) ? authHint : `${authHint} ${i18n.t('clients.auth_removes')}`,
    },
    settings: await settingsOf(ctx, client, secret),
    client,
    logoError,
    secret,
    sessions,
    isPublic: !hasSecret(client),
    lastUsedAt: lastUsed.get(client.clientId) ?? null,
    previousUntil: previousUntil(client),
    serviceAccount: await findServiceAccount(client),
    /** A form with errors keeps the values that its page showed at first. */
    shown: form?.input.shown ?? digestsOf(client),
    refusals: await refusalsFor(i18n, client),
  })
}

export async function renderRotation(ctx: HttpContext, form: Form = EMPTY_FORM) {
  const client = await getClientOrFail(ctx)
  return ctx.view.render('admin/clients/rotate', {
    client,
    form,
    until: Date.now() + oidc.previousSecretMs,
    previousUntil: previousUntil(client),
    formToken: issueFormToken(ctx),
  })
}

/** @returns the end of the previous secret in milliseconds since the epoch; null if it has ended */
function previousUntil({ previousSecretUntil }: { previousSecretUntil: number | null }) {
  return previousSecretUntil && previousSecretUntil > Date.now() ? previousSecretUntil : null
}

function findServiceAccount({ serviceAccountId }: { serviceAccountId: string | null }) {
  return serviceAccountId === null ? null : User.find(serviceAccountId)
}
