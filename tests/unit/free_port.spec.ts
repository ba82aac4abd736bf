import { test } from '@japa/runner'
import { freePort } from '#tests/support/free_port'

test.group('Free port', (group) => {
  const given = process.env.TEST_PORTS
  group.each.teardown(() => {
    if (given === undefined) delete process.env.TEST_PORTS
    else process.env.TEST_PORTS = given
  })

  async function portsOf(part: string) {
    process.env.TEST_PORTS = part
    const ports: number[] = []
    while (ports.length < 200) ports.push(await freePort())
    return ports
  }

  test('processes of one run get different ones', async ({ assert }) => {
    const parts = [await portsOf('1/3'), await portsOf('2/3'), await portsOf('3/3')]
    const [one, two, three] = parts.map((ports) => [Math.min(...ports), Math.max(...ports)])
    assert.isBelow(one[1], two[0])
    assert.isBelow(two[1], three[0])
  })

  test('no port is given twice', async ({ assert }) => {
    const ports = await portsOf('1/9')
    assert.equal(new Set(ports).size, ports.length)
  })
})
