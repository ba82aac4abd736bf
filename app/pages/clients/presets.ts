import type { ClientSettings } from '#oidc/clients/client'

/** The settings come from the documentation of each application. */
export interface Preset {
  id: 'grafana' | 'gitlab' | 'nextcloud' | 'oauth2_proxy' | 'spa' | 'native'
  /** The name of the product; messages describe `spa` and `native`. */
  name?: string
  /** The path is fixed by the application; `example.org` is reserved (RFC 2606). */
  redirectUri: string
  settings: Partial<ClientSettings>
}

const OWN: Partial<ClientSettings> = { kind: 'first_party' }
const PUBLIC: Partial<ClientSettings> = { tokenEndpointAuthMethod: 'none' }

export const PRESETS: Preset[] = [
  {
    id: 'grafana',
    name: 'Grafana',
    redirectUri: 'https://grafana.example.org/login/generic_oauth',
    settings: OWN,
  },
  {
    id: 'gitlab',
    name: 'GitLab',
    redirectUri: 'https://gitlab.example.org/users/auth/openid_connect/callback',
    settings: OWN,
  },
  {
    id: 'nextcloud',
    name: 'Nextcloud',
    redirectUri: 'https://nextcloud.example.org/apps/user_oidc/code',
    /** `user_oidc` sends its secret in the body when the provider accepts that. */
    settings: { ...OWN, tokenEndpointAuthMethod: 'client_secret_post' },
  },
  {
    id: 'oauth2_proxy',
    name: 'oauth2-proxy',
    redirectUri: 'https://app.example.org/oauth2/callback',
    settings: OWN,
  },
  { id: 'spa', redirectUri: 'https://app.example.org/callback', settings: PUBLIC },
  { id: 'native', redirectUri: 'org.example.app:/callback', settings: PUBLIC },
]

export function findPreset(id: unknown) {
  return PRESETS.find((preset) => preset.id === id)
}
