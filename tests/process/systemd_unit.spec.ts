import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { Systemd } from '#tests/servers/systemd'
import { findOrInstall } from '#tests/support/debian'
import { freePort } from '#tests/support/free_port'
import { mayMount, MOUNTS_FORBIDDEN } from '#tests/support/namespaces'
import { PASSWORD, someEmail } from '#tests/support/users'
import { temporaryFolder } from '#tests/support/temporary_folder'
import { askAgain, jsonRequest, root } from './product.ts'

/* The unit of `examples/systemd`, run by systemd. */

/** `systemd-analyze security` rates lower exposure as “OK”. */
const MAX_EXPOSURE = 2

const UNIT = readFileSync(join(root, 'examples/systemd/gatehouse.service'), 'utf8')

/** The unit for another user, on a port of the tests. */
function unitOn(port: number, folder: string) {
  const settings = join(folder, 'gatehouse.env')
  writeFileSync(settings, `PORT=${port}\nHOST=127.0.0.1\n`)
  return UNIT.replace('User=gatehouse', 'User=nobody').replace('/etc/gatehouse.env', settings)
}

/** Lines that the `status` file of each process of the unit contains. */
const CLOSED = [
  ...['Inh', 'Prm', 'Eff', 'Bnd', 'Amb'].map((set) => new RegExp(`^Cap${set}:\\t0+$`, 'm')),
  /^NoNewPrivs:\t1$/m,
  /^Seccomp:\t2$/m,
]

test.group('systemd unit', (group) => {
  let folder: string
  group.setup(() => void (folder = temporaryFolder('unit')))
  group.teardown(() => rmSync(folder, { recursive: true, force: true }))

  function analyze(...args: string[]) {
    const file = join(folder, 'gatehouse.service')
    writeFileSync(file, UNIT.replaceAll('/opt/gatehouse', root))
    const program = findOrInstall('systemd-analyze', 'systemd')
    return spawnSync(program, [...args, '--no-pager', file], { encoding: 'utf8' })
  }

  test('has no fault for systemd', ({ assert }) => {
    const { status, stdout, stderr } = analyze('verify')
    assert.deepEqual([status, stdout + stderr], [0, ''])
  })

  test('leaves little open', ({ assert }) => {
    const { stdout } = analyze('security', '--offline=yes')
    const [, exposure] = /Overall exposure level for gatehouse\.service: ([\d.]+)/.exec(stdout)!
    assert.isBelow(Number(exposure), MAX_EXPOSURE)
  })

  test('starts the product, and stop drains it', async ({ assert }) => {
    const url = `http://127.0.0.1:${await freePort()}`
    const unit = unitOn(Number(new URL(url).port), folder)
    const isReady = () => fetch(`${url}/health/ready`).then(({ ok }) => ok)
    const systemd = await Systemd.start(unit, root, isReady)
    try {
      const body = { email: someEmail(), username: 'Ada', password: PASSWORD }
      const registered = await askAgain(() => fetch(`${url}/auth/register`, jsonRequest({ body })))
      assert.equal(registered.status, 201)
      const status = systemd.statusOfMain()
      for (const line of CLOSED) assert.match(status, line)
      assert.equal(systemd.control('stop', 'gatehouse'), '')
      const ended = systemd.control('show', '--property=Result,ExecMainStatus', 'gatehouse')
      assert.sameMembers(ended.trim().split('\n'), ['Result=success', 'ExecMainStatus=0'])
    } finally {
      await systemd.remove()
    }
  }).skip(!mayMount, MOUNTS_FORBIDDEN)
})
