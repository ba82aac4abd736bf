import applications from './limits/applications.ts'
import signIn from './limits/sign_in.ts'
import sizes from './limits/sizes.ts'
import users from './limits/users.ts'

/*
 | What a client, a user or an application can store, queue, record, delay or make the product
 | compute: one number for each, and the attack that it stops. A limit with a window counts
 | requests for a key; 0 switches it off.
 */
export default { ...signIn, ...users, ...applications, ...sizes }
