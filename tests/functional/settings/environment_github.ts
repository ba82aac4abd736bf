import { HostileProvider } from '#tests/servers/hostile_provider'
import type { Group } from '@japa/runner/core'

/** The GitHub provider of the environment, whose answers a test determines. */
export function useGithub(group: Group) {
  const github = new HostileProvider(process.env.GITHUB_URL!)
  group.setup(() => github.start())
  group.teardown(() => github.stop() as Promise<void>)
  group.each.teardown(() => {
    github.behaviour = {}
  })
  return github
}
