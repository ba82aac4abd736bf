import router from '@adonisjs/core/services/router'
import { controllers } from '#generated/controllers'
import { middleware } from '#start/kernel'
import {
  ofGroup,
  ofMember,
  ofMemberOfNamed,
  ofRenamedGroup,
  type Purpose,
} from '#pages/reauthentication/purposes'

const { admin: pages } = controllers

const proven = (purpose: Purpose) => middleware.reauthentication({ purpose })

/** A new member or name of a group that an application names gives access to the application. */
export function groupRoutes() {
  router.get('groups', [pages.Groups, 'index'])
  router
    .post('groups', [pages.Groups, 'store'])
    .use(middleware.reauthentication({ none: 'no application names a new group' }))
  router.get('groups/create', [pages.Groups, 'create'])
  router.get('groups/:id', [pages.Groups, 'show'])
  router.post('groups/:id', [pages.Groups, 'update']).use(proven(ofRenamedGroup))
  router.get('groups/:id/delete', [pages.Groups, 'delete'])
  router.post('groups/:id/delete', [pages.Groups, 'destroy']).use(proven(ofGroup('delete')))
  router.on('groups/:id/members').redirectToPath('/admin/groups').as('groups.members.back')
  router.post('groups/:id/members', [pages.GroupMembers, 'store']).use(proven(ofMember('add')))
  router
    .post('groups/:id/members/:userId/remove', [pages.GroupMembers, 'destroy'])
    .use(proven(ofMember('remove')))
  router.on('users/:id/groups').redirectToPath('/admin/users').as('users.groups.back')
  router.post('users/:id/groups', [pages.UserGroups, 'store']).use(proven(ofMemberOfNamed))
  router
    .post('users/:id/groups/:groupId/remove', [pages.UserGroups, 'destroy'])
    .use(proven(ofMember('remove')))
}
