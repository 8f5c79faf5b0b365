-- Search and triggers, written by hand. npm run migrations adds them to the tables of schema/tables, together with the
-- triggers that follow from these (schema/tables/fixed-columns.ts).
--
-- Most triggers refuse changes. Derived values, such as sums, are written by the batch that changes their rows.
-- INSERT OR REPLACE deletes rows without running triggers on DELETE. dev/lint/replacing-sql.test.ts keeps it out of
-- the product, and for calls, prices and money, a trigger on INSERT refuses it, too.

-- One document per caller (worker/modules/market/callers/caller-search.repository.ts). It has a token for each character of the search text, then for each run of two, then of three, one for the fee level, and one for the badge.
CREATE VIRTUAL TABLE callers_search USING fts5(tokens, tokenize = 'ascii', content = '', contentless_delete = 1);

-- Accounts

-- A deleted account changes only when its X account signs in again: once all texts are erased, it opens as empty as it is, with its suspension.
-- Tables with personal data reference users.live_id, so they have no rows of a deleted account.
CREATE TRIGGER users_deleted_stay BEFORE UPDATE OF id, x_user_id, x_id_hash, twitter_handle, first_name, last_name, email, profile_image_url, bio, is_verified, is_suspended, created_at, deleted_at, left_at ON users
WHEN OLD.deleted_at IS NOT NULL AND NOT (
  OLD.x_id_hash IS NOT NULL AND OLD.erased_at IS NOT NULL AND NEW.deleted_at IS NULL AND NEW.erased_at IS NULL
  AND (NEW.id, NEW.x_id_hash, NEW.twitter_handle, NEW.first_name, NEW.last_name, NEW.email, NEW.profile_image_url, NEW.bio, NEW.is_verified, NEW.is_suspended, NEW.is_hidden, NEW.created_at, NEW.left_at)
    IS (OLD.id, OLD.x_id_hash, OLD.twitter_handle, OLD.first_name, OLD.last_name, OLD.email, OLD.profile_image_url, OLD.bio, OLD.is_verified, OLD.is_suspended, OLD.is_hidden, OLD.created_at, OLD.left_at))
BEGIN SELECT RAISE(IGNORE); END;

-- Calls cannot be deleted, because quotes and holdings reference them and cannot be deleted.

CREATE TRIGGER calls_insert BEFORE INSERT ON calls
BEGIN
  SELECT RAISE(ABORT, 'calls are never written over') WHERE EXISTS (SELECT 1 FROM calls WHERE id = NEW.id);
  SELECT RAISE(IGNORE) WHERE EXISTS (SELECT 1 FROM users WHERE id = NEW.caller_id AND deleted_at IS NOT NULL)
    OR EXISTS (SELECT 1 FROM callers WHERE caller_id = NEW.caller_id AND deletes_at IS NOT NULL);
END;

CREATE TRIGGER calls_update BEFORE UPDATE ON calls
BEGIN
  SELECT RAISE(ABORT, 'a follower result is written once')
  WHERE OLD.follower_rule IS NOT NULL
    AND (NEW.follower_rule, NEW.follower_ppm, NEW.sol_ppm, NEW.copied)
      IS NOT (OLD.follower_rule, OLD.follower_ppm, OLD.sol_ppm, OLD.copied);
  SELECT RAISE(ABORT, 'the peak of a call never falls')
  WHERE OLD.peak_price IS NOT NULL
    AND (NEW.peak_price IS NULL OR CAST(NEW.peak_price AS REAL) < CAST(OLD.peak_price AS REAL));
  SELECT RAISE(ABORT, 'a late call stays late')
  WHERE OLD.is_late = 1 AND NEW.is_late = 0;
  SELECT RAISE(ABORT, 'archived entries of a call are only added')
  WHERE OLD.archived_entries IS NOT NULL AND NEW.archived_entries IS NOT OLD.archived_entries
    AND substr(NEW.archived_entries, 1, length(OLD.archived_entries)) IS NOT rtrim(OLD.archived_entries, ']') || ',';
END;

CREATE TRIGGER price_quotes_insert BEFORE INSERT ON price_quotes
WHEN EXISTS (SELECT 1 FROM price_quotes WHERE call_id = NEW.call_id AND side = NEW.side AND (source = NEW.source OR (is_recorded = 1 AND NEW.is_recorded = 1)))
BEGIN SELECT RAISE(ABORT, 'UNIQUE constraint failed: quotes are never written over'); END;

CREATE TRIGGER call_updates_insert BEFORE INSERT ON call_updates
BEGIN
  SELECT RAISE(ABORT, 'updates are never written over') WHERE EXISTS (SELECT 1 FROM call_updates WHERE id = NEW.id);
  SELECT RAISE(IGNORE) WHERE EXISTS (
    SELECT 1 FROM calls k JOIN users u ON u.id = k.caller_id WHERE k.id = NEW.call_id AND u.deleted_at IS NOT NULL);
END;

CREATE TRIGGER call_updates_update BEFORE UPDATE ON call_updates
WHEN (NEW.id, NEW.call_id, NEW.message, NEW.created_at) IS NOT (OLD.id, OLD.call_id, '', OLD.created_at)
  OR NOT EXISTS (
    SELECT 1 FROM calls k JOIN users u ON u.id = k.caller_id
    WHERE k.id = OLD.call_id AND u.deleted_at IS NOT NULL)
BEGIN SELECT RAISE(ABORT, 'updates are never changed'); END;

-- Holdings cannot change once the last reading has emptied the list of wallets.
CREATE TRIGGER call_holdings_update BEFORE UPDATE ON call_holdings
WHEN OLD.wallets = '[]' AND OLD.read_until >= (SELECT ended_at FROM calls WHERE id = OLD.call_id)
BEGIN SELECT RAISE(ABORT, 'what a caller held and sold is never changed'); END;

-- A recorded price is never replaced: a second one is ignored, even with INSERT OR REPLACE.
CREATE TRIGGER price_marks_insert BEFORE INSERT ON price_marks
WHEN EXISTS (SELECT 1 FROM price_marks WHERE call_id = NEW.call_id AND side = NEW.side AND price IS NOT NULL)
BEGIN SELECT RAISE(IGNORE); END;

CREATE TRIGGER price_marks_update BEFORE UPDATE ON price_marks
WHEN OLD.price IS NOT NULL OR (NEW.call_id, NEW.side) IS NOT (OLD.call_id, OLD.side)
BEGIN SELECT RAISE(ABORT, 'marks are never changed'); END;

-- The event of a hit level is never changed or deleted.
CREATE TRIGGER level_hits_no_update BEFORE UPDATE OF id, kind, call_id, caller_id, update_id, level, price, at ON call_events
WHEN OLD.kind = 'level_hit' OR NEW.kind = 'level_hit'
BEGIN SELECT RAISE(ABORT, 'a hit level is never changed'); END;

CREATE TRIGGER level_hits_no_delete BEFORE DELETE ON call_events WHEN OLD.kind = 'level_hit'
BEGIN SELECT RAISE(ABORT, 'a hit level is never deleted'); END;

-- Payments and the ledger of paid periods

-- The day of a deletion is fixed at its request. The request can only be taken back.
CREATE TRIGGER callers_deletes_at BEFORE UPDATE OF deletes_at ON callers
WHEN OLD.deletes_at IS NOT NULL AND NEW.deletes_at IS NOT NULL AND NEW.deletes_at <> OLD.deletes_at
BEGIN SELECT RAISE(ABORT, 'the day of a deletion is fixed at its request'); END;

-- A payout wallet can change only if payout_changes has recorded the change.
CREATE TRIGGER callers_payout_update BEFORE UPDATE OF payout_address ON callers
WHEN NEW.payout_address IS NOT OLD.payout_address AND NOT EXISTS (
  SELECT 1 FROM payout_changes
  WHERE seq = (SELECT MAX(seq) FROM payout_changes WHERE caller_id = NEW.caller_id)
    AND (old_address, new_address) IS (OLD.payout_address, NEW.payout_address))
BEGIN SELECT RAISE(ABORT, 'a change of a payout wallet is recorded first'); END;

CREATE TRIGGER payment_intents_insert BEFORE INSERT ON payment_intents
BEGIN
  SELECT RAISE(ABORT, 'intents are never written again')
  WHERE EXISTS (SELECT 1 FROM payment_intents WHERE id = NEW.id OR reference = NEW.reference);
  SELECT RAISE(IGNORE)
  WHERE EXISTS (SELECT 1 FROM users WHERE id IN (NEW.user_id, NEW.caller_id) AND deleted_at IS NOT NULL)
    OR EXISTS (SELECT 1 FROM callers WHERE caller_id = NEW.caller_id AND deletes_at IS NOT NULL);
END;

CREATE TRIGGER payment_intents_update BEFORE UPDATE OF id, user_id, caller_id, reference, caller_address, platform_address, fee_lamports, days, total_lamports, caller_lamports, platform_lamports, created_at, expires_at ON payment_intents
BEGIN SELECT RAISE(ABORT, 'the terms of an intent are never changed'); END;

-- A second row of the same transaction is ignored. Payments cannot be deleted, because ledger entries reference them and
-- cannot be deleted.
CREATE TRIGGER payments_insert BEFORE INSERT ON payments
WHEN EXISTS (SELECT 1 FROM payments WHERE id = NEW.id OR signature = NEW.signature)
BEGIN SELECT RAISE(IGNORE); END;

CREATE TRIGGER payments_update BEFORE UPDATE ON payments
BEGIN SELECT RAISE(ABORT, 'payments are never changed'); END;

-- A payment is granted, then moved or finalized, and revoked only before it is finalized. Only a revoked one is granted again.
-- Only a finalized one is refunded, and nothing follows.
CREATE TRIGGER payment_ledger_insert BEFORE INSERT ON payment_ledger
BEGIN
  SELECT RAISE(ABORT, 'the payment ledger is never written over')
  WHERE EXISTS (SELECT 1 FROM payment_ledger WHERE id = NEW.id OR seq = NEW.seq);
  SELECT RAISE(ABORT, 'this line of the payment ledger cannot follow those before it')
  WHERE ((SELECT kind FROM payment_ledger WHERE payment_id = NEW.payment_id AND kind IN ('granted', 'revoked') ORDER BY seq DESC LIMIT 1)
      IS 'granted') IS (NEW.kind = 'granted')
    OR (NEW.kind NOT IN ('granted', 'moved')
      AND EXISTS (SELECT 1 FROM payment_ledger WHERE payment_id = NEW.payment_id AND kind = 'finalized') <> (NEW.kind = 'refunded'))
    OR EXISTS (SELECT 1 FROM payment_ledger WHERE payment_id = NEW.payment_id AND kind = 'refunded');
  SELECT RAISE(ABORT, 'a refund in the payment ledger has transfers of the whole amount, or of the share if it was asked for')
  WHERE NEW.kind = 'refunded' AND NOT EXISTS (
    SELECT 1 FROM payments p LEFT JOIN refunds r ON r.payment_id = p.id
    WHERE p.id = NEW.payment_id
      AND (SELECT SUM(lamports) FROM refund_transfers WHERE payment_id = p.id)
        >= iif(r.asked_at IS NULL, p.total_lamports, p.caller_lamports));
END;

CREATE TRIGGER refunds_insert BEFORE INSERT ON refunds
WHEN EXISTS (SELECT 1 FROM refunds WHERE payment_id = NEW.payment_id OR reference = NEW.reference)
BEGIN SELECT RAISE(ABORT, 'refunds are never written over'); END;

-- A refund that was opened while it was asked for counts as asked, and so does one that has ended a period.
CREATE TRIGGER refunds_update BEFORE UPDATE OF payment_id, reference, asked_at, opened_at ON refunds
BEGIN
  SELECT RAISE(ABORT, 'the reference of a refund is never changed')
  WHERE (NEW.payment_id, NEW.reference) IS NOT (OLD.payment_id, OLD.reference);
  SELECT RAISE(ABORT, 'a refund that was opened or paid stays as it was asked for')
  WHERE OLD.opened_at > COALESCE(NEW.opened_at, 0)
    OR (NEW.asked_at IS NOT OLD.asked_at
      AND (OLD.asked_at <= OLD.opened_at
        OR EXISTS (SELECT 1 FROM payment_ledger WHERE payment_id = OLD.payment_id AND kind = 'refunded')));
END;

-- A second row of the same transaction and payment is ignored.
CREATE TRIGGER refund_transfers_insert BEFORE INSERT ON refund_transfers
BEGIN
  SELECT RAISE(IGNORE) WHERE EXISTS (SELECT 1 FROM refund_transfers WHERE signature = NEW.signature AND payment_id = NEW.payment_id);
  SELECT RAISE(ABORT, 'a payment is never a refund') WHERE EXISTS (SELECT 1 FROM payments WHERE signature = NEW.signature);
END;

-- A paid period equals its ledger entry, does not overlap another period of its subscriber and caller, and is finalized and
-- deleted with its payment.
CREATE TRIGGER subscriptions_insert BEFORE INSERT ON subscriptions
BEGIN
  SELECT RAISE(ABORT, 'a paid period is never written over')
  WHERE EXISTS (SELECT 1 FROM subscriptions WHERE payment_id IS NOT NULL AND (id = NEW.id OR payment_id = NEW.payment_id));
  SELECT RAISE(ABORT, 'a paid period is the one in the payment ledger')
  WHERE NEW.payment_id IS NOT NULL AND (NEW.starts_at, NEW.ends_at) IS NOT
    (SELECT starts_at, ends_at FROM payment_ledger WHERE payment_id = NEW.payment_id AND kind <> 'finalized' ORDER BY seq DESC LIMIT 1);
  SELECT RAISE(ABORT, 'periods of a pair never overlap')
  WHERE NEW.payment_id IS NOT NULL AND EXISTS (
    SELECT 1 FROM subscriptions
    WHERE subscriber_id = NEW.subscriber_id AND caller_id = NEW.caller_id AND starts_at < NEW.ends_at AND (ends_at IS NULL OR ends_at > NEW.starts_at));
END;

CREATE TRIGGER subscriptions_update BEFORE UPDATE ON subscriptions
WHEN OLD.payment_id IS NOT NULL OR NEW.payment_id IS NOT NULL OR NEW.finalized_at IS NOT OLD.finalized_at
BEGIN
  SELECT RAISE(ABORT, 'a paid period is the one in the payment ledger')
  WHERE (NEW.id, NEW.subscriber_id, NEW.caller_id, NEW.payment_id, NEW.starts_at, NEW.ends_at)
      IS NOT (OLD.id, OLD.subscriber_id, OLD.caller_id, OLD.payment_id, OLD.starts_at, OLD.ends_at)
    AND ((OLD.id, OLD.subscriber_id, OLD.caller_id, OLD.payment_id) IS NOT (NEW.id, NEW.subscriber_id, NEW.caller_id, NEW.payment_id)
      OR (NEW.starts_at, NEW.ends_at) IS NOT
        (SELECT starts_at, ends_at FROM payment_ledger WHERE payment_id = NEW.payment_id AND kind <> 'finalized' ORDER BY seq DESC LIMIT 1));
  SELECT RAISE(ABORT, 'what is settled stays settled')
  WHERE OLD.finalized_at IS NOT NULL AND NEW.finalized_at IS NOT OLD.finalized_at;
  SELECT RAISE(ABORT, 'a period is settled by its payment')
  WHERE NEW.finalized_at IS NOT OLD.finalized_at AND NEW.finalized_at IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM payment_ledger WHERE payment_id = NEW.payment_id AND kind = 'finalized');
END;

CREATE TRIGGER subscriptions_delete BEFORE DELETE ON subscriptions
WHEN OLD.payment_id IS NOT NULL AND
  (SELECT starts_at FROM payment_ledger WHERE payment_id = OLD.payment_id AND kind <> 'finalized' ORDER BY seq DESC LIMIT 1) IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'a paid period goes only with its payment'); END;

CREATE TRIGGER silent_days_insert BEFORE INSERT ON silent_days
BEGIN
  SELECT RAISE(ABORT, 'silent days of a caller follow each other')
  WHERE NEW.number <> COALESCE((SELECT MAX(number) FROM silent_days WHERE caller_id = NEW.caller_id), 0) + 1
    OR EXISTS (SELECT 1 FROM silent_days WHERE caller_id = NEW.caller_id AND at >= NEW.at);
END;

-- Operators

CREATE TRIGGER call_notes_insert BEFORE INSERT ON call_notes
WHEN NOT EXISTS (SELECT 1 FROM calls WHERE id = NEW.call_id AND ended_at IS NOT NULL)
BEGIN SELECT RAISE(ABORT, 'only ended calls get notes'); END;

-- Public log: entries and checkpoints are only appended. Entries never change, except that the texts of deleted accounts are erased.

-- Entries before the newest one may have left the database, so their ids and numbers are taken even without a row.
CREATE TRIGGER log_entries_insert BEFORE INSERT ON log_entries
WHEN EXISTS (SELECT 1 FROM log_entries WHERE id = NEW.id)
  OR (NEW.id > 1 AND NEW.id < (SELECT MAX(id) FROM log_entries))
  OR NEW.number <= (SELECT MAX(number) FROM log_entries WHERE caller_id = NEW.caller_id)
BEGIN SELECT RAISE(ABORT, 'the log is never written over'); END;

-- The sequencer inserts the row 1, in which the key and the wallet are named.
-- Versions never fall, and rise only to one that an earlier format entry has announced.
CREATE TRIGGER log_entries_follow AFTER INSERT ON log_entries
WHEN NEW.id < 1 OR (NEW.id = 1 AND NEW.kind <> 'keys')
  OR NOT iif(NEW.id <= 2, (NEW.content ->> 'v') IS 1, EXISTS (
    SELECT 1 FROM log_entries
    WHERE id = NEW.id - 1 AND (NEW.content ->> 'v') >= (content ->> 'v') AND ((NEW.content ->> 'v') = (content ->> 'v') OR EXISTS (
      SELECT 1 FROM log_entries
      WHERE caller_id IS NULL AND kind = 'format' AND id < NEW.id AND (content ->> 'version') = (NEW.content ->> 'v')))))
BEGIN SELECT RAISE(ABORT, 'the log has no gaps, and its version rises only as announced'); END;

CREATE TRIGGER log_entries_update BEFORE UPDATE ON log_entries
WHEN (NEW.id, NEW.caller_id, NEW.number, NEW.kind, NEW.call_id, NEW.subject_id, NEW.content, NEW.salt, NEW.at)
    IS NOT (OLD.id, OLD.caller_id, OLD.number, OLD.kind, OLD.call_id, OLD.subject_id, OLD.content, OLD.salt, OLD.at)
  OR NEW.text IS NOT NULL OR NEW.text_salt IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'the log is never changed'); END;

-- An entry of a call leaves the database once R2 has its bundle and the bundles of all entries that are computed from it: the
-- next one of the caller and the end of the call. The time of the newest checkpoint is never later than the present.
CREATE TRIGGER log_entries_delete BEFORE DELETE ON log_entries
WHEN NOT EXISTS (
  SELECT 1
  FROM calls k CROSS JOIN (SELECT (MAX(n) + 1) * 256 AS size FROM log_bundles) archived
  WHERE k.id = OLD.call_id AND OLD.id <= archived.size AND k.follower_rule IS NOT NULL
    AND k.ended_at <= (SELECT at FROM log_checkpoints ORDER BY size DESC LIMIT 1) - 7776000000
    AND EXISTS (SELECT 1 FROM json_each(k.archived_entries) WHERE value = OLD.id)
    AND OLD.text IS NULL AND (OLD.text_salt IS NULL OR OLD.text_salt = (
      SELECT text_salt FROM log_salts WHERE caller_id = OLD.caller_id AND number = OLD.number))
    AND EXISTS (
      SELECT 1 FROM log_entries
      WHERE caller_id = OLD.caller_id AND number > OLD.number AND id <= archived.size)
    AND NOT EXISTS (
      SELECT 1 FROM log_entries
      WHERE caller_id = OLD.caller_id AND call_id = OLD.call_id AND kind = 'ended' AND id > archived.size))
BEGIN SELECT RAISE(ABORT, 'an entry of the log is never deleted before it is archived'); END;

CREATE TRIGGER log_bundles_insert BEFORE INSERT ON log_bundles
WHEN NEW.n <> (SELECT COALESCE(MAX(n) + 1, 0) FROM log_bundles)
BEGIN SELECT RAISE(ABORT, 'bundles are archived in their order'); END;

-- If two runs continue the same checkpoint, one of them is refused.
CREATE TRIGGER log_checkpoints_insert BEFORE INSERT ON log_checkpoints
WHEN NEW.size <= NEW.previous_size
  OR NEW.previous_size <> (SELECT COALESCE(MAX(size), 0) FROM log_checkpoints)
BEGIN SELECT RAISE(ABORT, 'a checkpoint follows the newest one'); END;

CREATE TRIGGER log_tiles_insert BEFORE INSERT ON log_tiles
WHEN EXISTS (
  SELECT 1 FROM log_tiles
  WHERE level = NEW.level AND n = NEW.n
    AND substr(NEW.data, 1, length(data)) <> data)
BEGIN SELECT RAISE(ABORT, 'tiles only grow'); END;

CREATE TRIGGER log_tiles_update BEFORE UPDATE ON log_tiles
WHEN (NEW.level, NEW.n) IS NOT (OLD.level, OLD.n)
  OR substr(NEW.data, 1, length(OLD.data)) <> OLD.data
BEGIN SELECT RAISE(ABORT, 'tiles only grow'); END;

-- An open anchor can only be finalized or declared dead.
CREATE TRIGGER log_anchors_update BEFORE UPDATE ON log_anchors
WHEN OLD.finalized_at IS NOT NULL OR OLD.dead_at IS NOT NULL
  OR (NEW.signature, NEW.size, NEW.root, NEW.last_valid_block_height, NEW.created_at)
    IS NOT (OLD.signature, OLD.size, OLD.root, OLD.last_valid_block_height, OLD.created_at)
BEGIN SELECT RAISE(ABORT, 'anchors only end'); END;

-- Triggers that write derived values

CREATE VIEW callers_search_documents AS
SELECT
  caller_id,
  search_rank * 67108864 + callers.rowid AS id,
  (
    SELECT group_concat(hex(substr(search_text, place.key + 1, run.value)), ' ')
    FROM json_each('[1,2,3]') run CROSS JOIN json_each('[' || rtrim(replace(hex(zeroblob(length(search_text))), '00', '0,'), ',') || ']') place
    WHERE place.key + run.value <= length(search_text)) || ' level' || fee_level || iif(is_verified, ' verified', '') AS tokens
FROM callers;

CREATE TRIGGER callers_search_inserted AFTER INSERT ON callers
BEGIN
  INSERT INTO callers_search (rowid, tokens) SELECT id, tokens FROM callers_search_documents WHERE caller_id = NEW.caller_id;
END;

CREATE TRIGGER callers_search_updated AFTER UPDATE OF search_text, fee_lamports, is_verified, proven, is_active, avg_return ON callers
WHEN (NEW.search_text, NEW.fee_level, NEW.is_verified, NEW.search_rank) <> (OLD.search_text, OLD.fee_level, OLD.is_verified, OLD.search_rank)
BEGIN
  DELETE FROM callers_search WHERE rowid = OLD.search_rank * 67108864 + OLD.rowid;
  INSERT INTO callers_search (rowid, tokens) SELECT id, tokens FROM callers_search_documents WHERE caller_id = NEW.caller_id;
END;

-- Rows of 50 calls for the calculator (schema/rules/calls/packed-calls.ts), which needs the newest 500. The newest row is rarely full, so 11 stay.
CREATE TRIGGER calls_copied AFTER UPDATE OF follower_rule ON calls
WHEN OLD.follower_rule IS NULL AND NEW.follower_rule IS NOT NULL AND NEW.unranked_reason IS NULL
BEGIN
  INSERT INTO copied_calls (caller_id, number, ended_at, calls)
  VALUES (
    NEW.caller_id,
    COALESCE((
      SELECT number + (json_array_length(calls) >= 50) FROM copied_calls
      WHERE caller_id = NEW.caller_id ORDER BY number DESC LIMIT 1), 0),
    NEW.ended_at,
    json_array(json_array(
      NEW.id, NEW.token_symbol, NEW.called_at, NEW.ended_at, NEW.end_price, NEW.change_percent, NEW.counted_change,
      (SELECT json_array(price, liquidity_usd, sol_price_usd) FROM price_marks WHERE call_id = NEW.id AND side = 'open'),
      (SELECT json_array(price, liquidity_usd, sol_price_usd) FROM price_marks WHERE call_id = NEW.id AND side = 'end'))))
  ON CONFLICT DO UPDATE SET
    ended_at = max(ended_at, excluded.ended_at), calls = json_insert(calls, '$[#]', excluded.calls -> '$[0]');
  DELETE FROM copied_calls
  WHERE caller_id = NEW.caller_id AND number <= (SELECT MAX(number) - 11 FROM copied_calls WHERE caller_id = NEW.caller_id);
END;

-- Which people the bot must check again in chats (worker/modules/messages/chats/access.service.ts): 1 means at once, 0 after all others.

-- People with the chats of callers. They may be members from before the bot, whom Telegram does not list, so those whose access changes
-- are added: to remove an absent person does nothing. Like the times of Telegram, theirs is in whole seconds, so that a request to join
-- in the same second is not older.
CREATE VIEW chat_people AS
SELECT l.user_id, c.caller_id, c.chat_id, l.chat_id AS person_id, '' AS name, 'in' AS status, 1 AS is_by_us,
  COALESCE(c.paid_since - c.paid_since % 1000, 0) AS since, 1 AS check_at
FROM telegram_links l CROSS JOIN telegram_chats c WHERE l.chat_id IS NOT NULL;

CREATE TRIGGER chat_access_begins AFTER INSERT ON subscriptions WHEN NEW.payment_id IS NOT NULL
BEGIN
  UPDATE chat_members SET check_at = 1 WHERE person_id = (SELECT chat_id FROM telegram_links WHERE user_id = NEW.subscriber_id);
END;

CREATE TRIGGER chat_access_changes AFTER UPDATE OF ends_at, status ON subscriptions
WHEN NEW.status IS NOT OLD.status OR (NEW.payment_id IS NOT NULL AND NEW.ends_at IS NOT OLD.ends_at)
BEGIN
  INSERT INTO chat_members (chat_id, person_id, name, status, is_by_us, since, check_at)
  SELECT chat_id, person_id, name, status, is_by_us, since, check_at FROM chat_people
  WHERE user_id = NEW.subscriber_id AND caller_id = NEW.caller_id
  ON CONFLICT DO UPDATE SET check_at = 1;
END;

CREATE TRIGGER chat_access_ends AFTER DELETE ON subscriptions
BEGIN
  INSERT INTO chat_members (chat_id, person_id, name, status, is_by_us, since, check_at)
  SELECT chat_id, person_id, name, status, is_by_us, since, check_at FROM chat_people
  WHERE user_id = OLD.subscriber_id AND caller_id = OLD.caller_id
  ON CONFLICT DO UPDATE SET check_at = 1;
END;

CREATE TRIGGER chat_account_changes BEFORE UPDATE OF chat_id ON telegram_links WHEN NEW.chat_id IS NOT OLD.chat_id
BEGIN
  INSERT INTO chat_members (chat_id, person_id, name, status, is_by_us, since, check_at)
  SELECT chat_id, person_id, name, status, is_by_us, since, check_at FROM chat_people
  WHERE user_id = OLD.user_id AND caller_id IN (SELECT caller_id FROM subscriptions WHERE subscriber_id = OLD.user_id AND status = 'active')
  ON CONFLICT DO NOTHING;
  UPDATE chat_members SET check_at = 1 WHERE person_id IN (OLD.chat_id, NEW.chat_id);
END;

CREATE TRIGGER chat_account_added AFTER INSERT ON telegram_links WHEN NEW.chat_id IS NOT NULL
BEGIN
  UPDATE chat_members SET check_at = 1 WHERE person_id = NEW.chat_id;
END;

CREATE TRIGGER chat_account_deleted BEFORE DELETE ON telegram_links WHEN OLD.chat_id IS NOT NULL
BEGIN
  INSERT INTO chat_members (chat_id, person_id, name, status, is_by_us, since, check_at)
  SELECT chat_id, person_id, name, status, is_by_us, since, check_at FROM chat_people
  WHERE user_id = OLD.user_id AND caller_id IN (SELECT caller_id FROM subscriptions WHERE subscriber_id = OLD.user_id AND status = 'active')
  ON CONFLICT DO NOTHING;
  UPDATE chat_members SET check_at = 1 WHERE person_id = OLD.chat_id;
END;

-- A chat may have many members, so the cron makes them due in slices (worker/modules/messages/chats/access.repository.ts).
-- Whoever waits gets into the chat of a caller who became Free. Nobody is removed there, nor until a caller who became Paid confirms.
CREATE TRIGGER chat_fee_ends AFTER UPDATE OF fee_lamports ON callers WHEN NEW.fee_lamports = 0 AND OLD.fee_lamports <> 0
BEGIN
  UPDATE telegram_chats SET recheck_after = '' WHERE caller_id = NEW.caller_id;
END;

-- Other members are due anyway when these rules concern them.
CREATE TRIGGER chat_rules_change AFTER UPDATE OF paid_since, removes_others ON telegram_chats
WHEN (NEW.paid_since, NEW.removes_others) IS NOT (OLD.paid_since, OLD.removes_others)
BEGIN
  UPDATE telegram_chats SET recheck_after = '' WHERE chat_id = NEW.chat_id;
END;
