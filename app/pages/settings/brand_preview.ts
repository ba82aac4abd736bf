import type { HttpContext } from '@adonisjs/core/http'
import { brandColor, brandName } from '#setup/environment/brand_rules'
import type { Setting } from '#settings/list_settings'

/* Pages forbid inline styles, so a brand that is not saved yet is shown as pictures. */

const KINDS = ['sign-in', 'mail'] as const
const THEMES = ['light', 'dark'] as const

export type PreviewKind = (typeof KINDS)[number]
export type PreviewTheme = (typeof THEMES)[number]

export interface Preview {
  kind: PreviewKind
  theme: PreviewTheme
  name: string
  color: string
}

/** Returns the four pictures of the typed values, or else of the current ones. */
export function previewsOf({ request }: HttpContext, settings: Setting[]) {
  const valueOf = (key: string) => {
    const typed = request.input(key)
    const current = settings.find((setting) => setting.key === key)?.value ?? ''
    return typeof typed === 'string' && typed !== '' ? typed : String(current)
  }
  const [name, color] = [valueOf('BRAND_NAME'), valueOf('BRAND_COLOR')]
  return KINDS.flatMap((kind) =>
    THEMES.map((theme) => {
      const query = new URLSearchParams({ kind, theme, name, color })
      return { kind, theme, path: `/admin/settings/preview.svg?${query}` }
    })
  )
}

/** Replaces each value that the rules refuse by the default. */
export function readPreview(values: Record<string, unknown>): Preview {
  return {
    kind: KINDS.find((kind) => kind === values.kind) ?? 'sign-in',
    theme: THEMES.find((theme) => theme === values.theme) ?? 'light',
    name: judged(brandName('Gatehouse'), values.name),
    color: judged(brandColor(), values.color),
  }
}

type Rule = (name: string, value?: string) => string

function judged(rule: Rule, value: unknown) {
  try {
    return rule('preview', typeof value === 'string' ? value : undefined)
  } catch {
    return rule('preview')
  }
}
