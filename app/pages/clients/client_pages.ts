import type { HttpContext } from '@adonisjs/core/http'
import oidc from '#config/oidc'
import User from '#models/user'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { hasSecret, isPublic } from '#oidc/clients/client'
import { withDefaults } from '#oidc/clients/client_fields'
import { findClientById, readClients } from '#oidc/clients/client_rows'
import { hostOf } from '#oidc/clients/redirect_uris'
import { listMetadataClients } from '#oidc/client_id_metadata/metadata_clients'
import { countSessionsWith } from '#oidc/grants/end_grants'
import { lastGrantTimes } from '#oidc/records/grant_rows'
import { EMPTY_FORM, type Form } from '#pages/forms/forms'
import { digestsOf, inputOfClient } from './client_form.ts'
import { issueFormToken } from '#pages/forms/form_token'
import { takeFlashedSecret } from './new_secret.ts'
import { plainValues, settingsFor } from './settings.ts'
import { fieldsOf, presetsIn } from './client_fields.ts'
import { findPreset } from './presets.ts'

const SHOWN_HOSTS = 3

/** @throws E_NOT_FOUND */
export async function getClientOrFail({ params }: HttpContext) {
  const client = await findClientById(params.id)
  if (!client) throw new E_NOT_FOUND()
  return client
}

export async function renderClients({ view, i18n }: HttpContext) {
  const [clients, lastUsed, documentClients] = await Promise.all([
    readClients(),
    lastGrantTimes(),
    listMetadataClients(),
  ])
  const rows = clients.map((client) => {
    const hosts = [...new Set(client.redirectUris.map(hostOf))]
    const [shown, more] = [hosts.slice(0, SHOWN_HOSTS), hosts.length - SHOWN_HOSTS]
    return { client, hosts: shown, more, lastUsedAt: lastUsed.get(client.clientId) ?? null }
  })
  const presets = presetsIn(i18n, null)
  return view.render('admin/clients/index', { rows, documentClients, presets })
}

/** `?for=` names the preset that fills the form in. */
export function renderNewClient(ctx: HttpContext, form: Form = EMPTY_FORM) {
  const preset = findPreset(ctx.request.input('for'))
  const proposed = preset && {
    name: preset.name ?? '',
    redirectUris: [preset.redirectUri],
    ...preset.settings,
  }
  const isEmpty = form === EMPTY_FORM
  const filled = { input: inputOfClient(withDefaults({ name: '', ...proposed })), errors: {} }
  const hint = ctx.i18n.t('clients.redirect_hint')
  return ctx.view.render('admin/clients/create', {
    ...fieldsOf(ctx.i18n, isEmpty ? filled : form),
    presets: presetsIn(ctx.i18n, preset?.id ?? 'other'),
    hints: {
      redirectUris: preset ? `${ctx.i18n.t('clients.replace_example')} ${hint}` : hint,
      authMethod: ctx.i18n.t('clients.auth_hint'),
    },
    formToken: issueFormToken(ctx),
  })
}

export async function renderClient(ctx: HttpContext, form?: Form) {
  const client = await getClientOrFail(ctx)
  const secret = takeFlashedSecret(ctx, client.clientId)
  const [sessions, lastUsed] = await Promise.all([
    countSessionsWith(client.clientId),
    lastGrantTimes(),
  ])
  const { i18n } = ctx
  const authHint = i18n.t('clients.auth_hint')
  const settingsLead = secret ? 'with_secret' : isPublic(client) ? 'public' : 'without_secret'
  return ctx.view.render('admin/clients/show', {
    ...fieldsOf(i18n, form ?? { input: inputOfClient(client), errors: {} }),
    hints: {
      redirectUris: i18n.t('clients.redirect_hint'),
      authMethod: isPublic(client) ? authHint : `${authHint} ${i18n.t('clients.auth_removes')}`,
    },
    settingsLead: i18n.t(`clients.settings.${settingsLead}`),
    client,
    secret,
    sessions,
    isPublic: !hasSecret(client),
    lastUsedAt: lastUsed.get(client.clientId) ?? null,
    formerUntil: formerUntil(client),
    serviceAccount: await findServiceAccount(client),
    /** A form with errors keeps the values that its page showed at first. */
    shown: form?.input.shown ?? digestsOf(client),
    plain: plainValues(client, secret),
    settings: settingsFor(client, secret),
  })
}

export async function renderRotation(ctx: HttpContext, form: Form = EMPTY_FORM) {
  const client = await getClientOrFail(ctx)
  return ctx.view.render('admin/clients/rotate', {
    client,
    form,
    until: Date.now() + oidc.previousSecretMs,
    formerUntil: formerUntil(client),
    formToken: issueFormToken(ctx),
  })
}

/** @returns the end of the previous secret in milliseconds since the epoch; null once it has expired */
function formerUntil({ previousSecretUntil }: { previousSecretUntil: number | null }) {
  return previousSecretUntil && previousSecretUntil > Date.now() ? previousSecretUntil : null
}

function findServiceAccount({ serviceAccountId }: { serviceAccountId: string | null }) {
  return serviceAccountId === null ? null : User.find(serviceAccountId)
}
