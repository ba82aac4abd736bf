import type { HttpContext } from '@adonisjs/core/http'
import oidc from '#config/oidc'
import { isPublic, type OAuthClient } from '#oidc/clients/client'
import { likelyPresets } from '#oidc/presets/likely_presets'
import { findPreset, type Preset } from '#oidc/presets/preset'
import { settingsFor } from '#oidc/presets/settings_here'
import { endpointsOf, scopesOf } from '#oidc/presets/settings_to_copy'
import { presetGroups } from './preset_groups.ts'

/** Returns the settings for the chosen preset (`?for=`), else for one that fits the address. */
export async function settingsOf(ctx: HttpContext, client: OAuthClient, secret: string | null) {
  const chosen = await findPreset(ctx.request.input('for'))
  const [likely = null] = await likelyPresets(client)
  const preset = chosen ?? likely
  const lead = secret ? 'with_secret' : isPublic(client) ? 'public' : 'without_secret'
  return {
    preset,
    remarks: preset ? remarksOn(ctx, preset) : [],
    texts: preset ? settingsFor(preset, client, secret) : [],
    lead: ctx.i18n.t(`clients.settings.${lead}`),
    plain: plainValues(client, secret),
    others: await presetGroups(ctx, `/admin/clients/${client.id}`),
  }
}

/** Tells an administrator what was tried with an application and what it needs. */
export function remarksOn({ i18n }: HttpContext, preset: Preset) {
  const { tried, read, needs, pkce, notes } = preset
  return [
    ...(tried ? [i18n.t('presets.tried', { version: tried })] : []),
    i18n.t('presets.read', { version: read }),
    ...(needs ? [i18n.t('presets.needs', { name: needs })] : []),
    i18n.t(`presets.pkce.${pkce}`),
    ...notes.map((note) => i18n.t(`presets.notes.${note}`)),
  ]
}

function plainValues(client: OAuthClient, secret: string | null) {
  const { issuer, discovery, ...endpoints } = endpointsOf(oidc.issuer)
  return [
    { id: 'issuer', value: issuer },
    { id: 'discovery', value: discovery },
    { id: 'client_id', value: client.clientId },
    ...(secret ? [{ id: 'client_secret', value: secret }] : []),
    { id: 'scope', value: scopesOf(client).join(' ') },
    { id: 'authorization_endpoint', value: endpoints.authorizationEndpoint },
    { id: 'token_endpoint', value: endpoints.tokenEndpoint },
    { id: 'userinfo_endpoint', value: endpoints.userinfoEndpoint },
    { id: 'end_session_endpoint', value: endpoints.endSessionEndpoint },
  ]
}
