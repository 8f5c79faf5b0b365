/** Realistic bugs that the model of messages must detect. By file and name: the code, and what replaces it. */
export const messageBugs: Readonly<
  Record<string, Readonly<Record<string, readonly [place: string, replacement: string]>>>
> = {
  'worker/modules/messages/delivery/outbox.repository.ts': {
    // An event that is handed over again after a crash is sent again.
    'forgets the events that it has sent': [
      'query(sql`UPDATE events SET done_at = ${now} WHERE id IN ${valuesOf(ids)}`);',
      'query(sql`DELETE FROM events WHERE id IN ${valuesOf(ids)} AND ${now} > 0`);',
    ],
    // "Call ended" before "New call".
    'sends a later event of a caller although an earlier one waits': [
      'o.event_number < e.rowid AND ${isUntried}), NULL, ${now})',
      'o.event_number < e.rowid AND ${isUntried}), ${now}, ${now})',
    ],
  },
  'worker/modules/messages/facts/messages-writer.ts': {
    // After a crash, nobody knows anymore what people must be told.
    'forgets facts before the senders have them': [
      'if (events.length > 0) await outbox.add(events); await repository.finish( facts, isReminder, plans.flatMap(({ next }) => next ?? []), );',
      'await repository.finish(facts, isReminder, plans.flatMap(({ next }) => next ?? [])); if (events.length > 0) await outbox.add(events);',
    ],
  },
  'worker/modules/messages/delivery/take-batch.ts': {
    // A crash while a page of recipients is read loses the page.
    'counts recipients as read before it has read them': [
      'const listed = await events.listRecipients(',
      'store.addFollowers({ eventId, userIds: [], next: null, now: clock.now() }); const listed = await events.listRecipients(',
    ],
  },
  'worker/modules/messages/delivery/prepare-batch.ts': {
    // Somebody whose access ends while a message waits still gets it.
    'checks access only when it lists the recipients': [
      'const allowed = callerId === null ? userIds : await entitlement.entitledAmong({ userIds, callerId });',
      'const allowed = callerId === null || callerId !== "" ? userIds : await entitlement.entitledAmong({ userIds, callerId });',
    ],
  },
  'worker/modules/messages/delivery/push-deliveries.repository.ts': {
    // Somebody who mutes a caller while a message waits still gets it in browsers.
    'ignores mutes in browsers': [
      '{ chatId: JSON.stringify(devices), ...readChoices({ kinds, callers }) }',
      '{ chatId: JSON.stringify(devices), ...readChoices({ kinds, callers }), mutedCallers: new Set() }',
    ],
  },
  'worker/adapters/web-push.ts': {
    // One lost browser turns off the person's others.
    'forgets all browsers of a person': [
      'await forget(gone.map(({ device }) => device.endpoint));',
      'await forget(devices.map(({ endpoint }) => endpoint));',
    ],
  },
  'worker/modules/messages/facts/call-event-text.ts': {
    // "The call is still active", after its end.
    'tells a level after the end': [
      'if (endedAt !== null || level === null || levelPrice === null) return null;',
      'if (level === null || levelPrice === null) return null;',
    ],
  },
  'worker/modules/messages/facts/renewals.service.ts': {
    // A subscriber who has just renewed is asked to renew.
    'reminds although the subscriber has renewed': [
      'if (!terms || terms.lastEnd === null || terms.lastWrittenEnd !== writtenEnd) return null;',
      'if (!terms || terms.lastEnd === null) return null;',
    ],
  },
  'worker/modules/messages/facts/recipients.repository.ts': {
    // Their free access isn't extended.
    'tells free followers of a silence': [
      'AND s.payment_id IS NOT NULL AND s.starts_at <= y.at',
      'AND s.starts_at <= y.at',
    ],
    // They get it twice.
    'sends a call to readers of the group, too': [
      'AND (NOT EXISTS (${postingChatsWith(',
      'AND (TRUE OR NOT EXISTS (${postingChatsWith(',
    ],
  },
  'worker/modules/messages/channels.module.ts': {
    // A program of somebody without access gets hidden calls.
    'sends webhooks without access': [
      'messenger: client,',
      'messenger: client, entitlement: { entitledAmong: async ({ userIds }) => userIds },',
    ],
  },
  'worker/modules/messages/chat-posts/chat-poster.ts': {
    // Each event of a call is one more message.
    'posts a call again instead of editing it': [
      'await chats.edit({ ...post, messageId });',
      'await chats.post(post);',
    ],
    // Telegram notifies nobody of an edit.
    'tells members of the group nothing': [
      'isDiscussion ? SENT : await replies.send({ ...posting, messageId });',
      'isDiscussion || chat.chatId !== "" ? SENT : await replies.send({ ...posting, messageId });',
    ],
    // The members get neither the post nor a private message.
    'tells nobody in private if the topic is closed': [
      'await checks.check({ ...chat, topicProblem }); await sendPrivately(chat, await readNews());',
      'await checks.check({ ...chat, topicProblem });',
    ],
  },
  'worker/modules/messages/facts/people-events.ts': {
    // Followers in a chat whose problem is stored early get an event twice.
    'repeats an event in private': ['isForUntold: readEventId(id).part !== null,', 'isForUntold: id === "",'],
  },
  'worker/modules/messages/chats/access.service.ts': {
    // People who ask to join wait for the next minute.
    'ignores how long Telegram wants to wait': [
      'if (retryAt < Infinity) await timer.wakeAt(retryAt);',
      'if (retryAt < 0) await timer.wakeAt(retryAt);',
    ],
  },
  'worker/adapters/telegram-chats.ts': {
    // Subscribers open a dead link for ever.
    'takes a revoked link for a valid one': [
      'return edited !== null && !edited.is_revoked;',
      'return edited === null || !edited.is_revoked;',
    ],
  },
};
