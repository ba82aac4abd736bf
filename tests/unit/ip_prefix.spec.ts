import { test } from '@japa/runner'
import { ipPrefix } from '#auth/lockout/count_keys'

test.group('IP prefix', () => {
  test('{ip} counts as {group}')
    .with([
      { ip: '192.0.2.7', group: '192.0.2.7' },
      { ip: '::ffff:192.0.2.7', group: '192.0.2.7' },
      { ip: '2001:db8:1:2:3:4:5:6', group: '2001:db8:1:2::/64' },
      { ip: '2001:db8:1:2:ffff:4:5:6', group: '2001:db8:1:2::/64' },
      { ip: 'nonsense', group: 'unknown' },
    ])
    .run(({ assert }, { ip, group }) => {
      assert.equal(ipPrefix(ip), group)
    })
})
