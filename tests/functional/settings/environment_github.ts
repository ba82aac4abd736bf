import { HostileProvider } from '#tests/servers/hostile_provider'
import type { Group } from '@japa/runner/core'

/** The GitHub of the environment, which a test tells what to answer. */
export function useGithub(group: Group) {
  const github = new HostileProvider(process.env.GITHUB_URL!)
  group.setup(() => github.start())
  group.teardown(() => github.stop() as Promise<void>)
  group.each.teardown(() => {
    github.behaviour = {}
  })
  return github
}
