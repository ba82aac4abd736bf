import { createHash } from 'node:crypto'
import type { HttpContext } from '@adonisjs/core/http'
import { E_BAD_REQUEST } from '#exceptions/http_errors'
import type { ClientSettings, OAuthClient } from '#oidc/clients/client'

/* The form of a client: lists of addresses are lines of a text, lists of words are ticks. */

const FIELDS = [
  'name',
  'kind',
  'redirectUris',
  'postLogoutRedirectUris',
  'grantTypes',
  'scopes',
  'tokenEndpointAuthMethod',
  'backchannelLogoutUri',
  'serviceAccountId',
] as const satisfies (keyof ClientSettings)[]

type Field = (typeof FIELDS)[number]

/** What the form shows of a client, or of the settings that a preset proposes. */
export function inputOfClient(settings: Partial<ClientSettings>): Record<string, any> {
  const { redirectUris = [], postLogoutRedirectUris = [], ...others } = settings
  return {
    ...others,
    redirectUris: redirectUris.join('\n'),
    postLogoutRedirectUris: postLogoutRedirectUris.join('\n'),
  }
}

/**
 * Digests of what the page shows of each field. A form that was open for long sends them back,
 * and changes only what was typed in it.
 */
export function digestsOf(client: OAuthClient) {
  const input = inputOfClient(client)
  return JSON.stringify(Object.fromEntries(FIELDS.map((field) => [field, digestOf(input[field])])))
}

/** Browsers send lines with CRLF, and nothing for a field without a value or a tick. */
function digestOf(value: unknown) {
  const text = Array.isArray(value) ? value.toSorted().join('\n') : String(value ?? '')
  const lines = text.replaceAll('\r\n', '\n').trim()
  return createHash('sha256').update(lines).digest('base64url').slice(0, 16)
}

/** Those of the values whose field the administrator has changed. */
export function changedOnly(ctx: HttpContext, values: ClientSettings): Partial<ClientSettings> {
  const given = ctx.request.body()
  const shown = shownDigests(given.shown)
  const changed = FIELDS.filter((field) => shown[field] !== digestOf(given[field]))
  return Object.fromEntries(changed.map((field) => [field, values[field]]))
}

/** @throws E_BAD_REQUEST for a text that no page of ours has written */
function shownDigests(shown: unknown): Partial<Record<Field, string>> {
  try {
    return Object(JSON.parse(String(shown ?? '{}')))
  } catch {
    throw new E_BAD_REQUEST()
  }
}
