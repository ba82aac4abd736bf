import type { HttpContext } from '@adonisjs/core/http'
import { GROUPS, readPresets, type Preset } from '#oidc/presets/preset'

/** Returns presets by group, each with a link. The search finds parts of their names. */
export async function presetGroups({ request, i18n }: HttpContext, path: string) {
  const search = String(request.input('search') ?? '').trim()
  const all = await readPresets()
  const presets = all.filter(({ name }) => isFound(name, search))
  const groups = GROUPS.map((group) => ({
    name: i18n.t(`presets.groups.${group}`),
    presets: presets.filter((preset) => preset.group === group).map((each) => linkTo(each, path)),
  }))
  return { search, groups: groups.filter((each) => each.presets.length > 0) }
}

function linkTo({ id, name }: Preset, path: string) {
  return { name, path: `${path}?for=${id}` }
}

function isFound(name: string, search: string) {
  const words = search.toLowerCase().split(/\s+/)
  return words.every((word) => name.toLowerCase().includes(word))
}
