import { IS_FAILED } from './statements.js';

/**
 * Columns are what is searched by; everything else of a task is one JSON document, so a new field of the
 * record needs no migration. `s` is the name of the schema. Append to them; those that are there never change.
 */
export const MIGRATIONS: readonly ((s: string) => string)[] = [
  (s) => `
  CREATE TABLE ${s}.tasks (
    owner bytea NOT NULL,
    dialect text COLLATE "C" NOT NULL,
    id bytea NOT NULL,
    version integer NOT NULL,
    live boolean NOT NULL,
    worker bytea NOT NULL,
    expires_at bigint NOT NULL,
    idempotency_key bytea,
    -- The transaction of the last change: what a snapshot has not seen is found by it.
    changed xid8 NOT NULL DEFAULT pg_current_xact_id(),
    summary bytea NOT NULL,
    args bytea NOT NULL,
    input bytea NOT NULL,
    steps bytea NOT NULL,
    outcome bytea,
    -- Of the user behind the owner; null for an owner that is a subject of its own.
    subject bytea,
    -- Ids sort by creation: this serves look-up by owner and pages of an owner's tasks alike.
    PRIMARY KEY (owner, dialect, id)
  ) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
  CREATE INDEX tasks_by_expiry ON ${s}.tasks (expires_at);
  CREATE INDEX tasks_by_change ON ${s}.tasks (changed);
  CREATE INDEX tasks_live_by_subject ON ${s}.tasks ((coalesce(subject, owner)), owner) WHERE live;
  CREATE INDEX tasks_live_by_worker ON ${s}.tasks (worker) WHERE live;
  CREATE UNIQUE INDEX tasks_by_idempotency_key ON ${s}.tasks (owner, dialect, idempotency_key)
    WHERE idempotency_key IS NOT NULL;
  -- Pages of the tasks of all owners.
  CREATE INDEX tasks_by_id ON ${s}.tasks (id);
  -- Pages of failed work. The condition reads the summary, so rows of any age and writer are in it.
  CREATE INDEX tasks_failed ON ${s}.tasks (id) WHERE ${IS_FAILED};

  -- Tasks of each owner, and of each subject. A subject's row is the lock under which its caps and those of its
  -- owners are checked.
  CREATE TABLE ${s}.owners (owner bytea PRIMARY KEY, stored bigint NOT NULL)
    WITH (fillfactor = 50);
  CREATE TABLE ${s}.subjects (subject bytea PRIMARY KEY, stored bigint NOT NULL)
    WITH (fillfactor = 50);

  -- Tasks that were removed lately, for nodes that missed the notification.
  CREATE TABLE ${s}.removals (
    owner bytea NOT NULL,
    dialect text COLLATE "C" NOT NULL,
    id bytea NOT NULL,
    changed xid8 NOT NULL DEFAULT pg_current_xact_id(),
    removed_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX removals_by_change ON ${s}.removals (changed);
  CREATE INDEX removals_by_time ON ${s}.removals (removed_at);

  CREATE TABLE ${s}.leases (worker bytea PRIMARY KEY, until bigint NOT NULL);

  CREATE TABLE ${s}.settings (name text COLLATE "C" PRIMARY KEY, value bytea NOT NULL);

  -- Inserts tasks in the order given, all subjects and their owners in ascending order. Returns no row when
  -- a cap for all owners is so near that the call has to be repeated alone.
  CREATE FUNCTION ${s}.insert_tasks(
    alone boolean, caps_live bigint[], caps_live_shared bigint[], caps_live_reserve bigint[],
    caps_live_per_owner bigint[], caps_live_per_subject bigint[], caps_stored_per_owner bigint[],
    caps_stored_per_subject bigint[], created_ats bigint[], subjects_ bytea[], owners_ bytea[],
    dialects text[], ids bytea[], versions integer[], workers bytea[], expiries bigint[], keys bytea[],
    summaries bytea[], argss bytea[], inputs bytea[], stepss bytea[]
  ) RETURNS TABLE (room boolean, verdict text, summary bytea, args bytea, input bytea, steps bytea,
    outcome bytea)
  LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  DECLARE
    class constant integer := '${s}.tasks'::regclass::oid::bigint::bit(32)::integer;
    tickets constant integer := 16;
    batch constant integer := 64;
    lowest_cap constant bigint := (SELECT min(c) FROM unnest(caps_live) AS c);
    highest_cap constant bigint := (SELECT max(c) FROM unnest(caps_live) AS c);
    lowest_shared constant bigint := (SELECT min(c) FROM unnest(caps_live_shared) AS c);
    highest_shared constant bigint := (SELECT max(c) FROM unnest(caps_live_shared) AS c);
    highest_own constant bigint := (SELECT max(c) FROM unnest(caps_live_per_subject) AS c);
    live_total bigint;
    live_subject bigint;
    live_own bigint;
    stored_subject bigint;
    stored_own bigint;
    added bigint := 0;
    user_ bytea;
    who bytea;
    earlier record;
  BEGIN
    IF alone THEN
      PERFORM pg_advisory_xact_lock(class, 0);
    ELSE
      -- At most 16 calls insert at a time, so at most 16 batches are unseen by the count below.
      PERFORM pg_advisory_xact_lock_shared(class, 0);
      PERFORM pg_advisory_xact_lock(class, 1 + pg_backend_pid() % tickets);
    END IF;
    SELECT count(*) INTO live_total
      FROM (SELECT 1 FROM ${s}.tasks WHERE live LIMIT highest_cap) AS t;
    -- A shared cap that is reached stays so, whatever is unseen: only the reserve is given out.
    room := live_total + tickets * batch <= lowest_cap
      AND (live_total + tickets * batch <= lowest_shared OR live_total >= highest_shared);
    IF NOT alone AND NOT room THEN RETURN; END IF;

    FOR i IN 1 .. array_length(ids, 1) LOOP
      IF user_ IS DISTINCT FROM subjects_[i] OR who IS DISTINCT FROM owners_[i] THEN
        IF added > 0 THEN
          UPDATE ${s}.owners SET stored = stored + added WHERE owner = who;
          UPDATE ${s}.subjects SET stored = stored + added WHERE subject = user_;
        END IF;
        added := 0;
        IF user_ IS DISTINCT FROM subjects_[i] THEN
          user_ := subjects_[i];
          LOOP
            SELECT stored INTO stored_subject FROM ${s}.subjects WHERE subject = user_ FOR UPDATE;
            EXIT WHEN FOUND;
            INSERT INTO ${s}.subjects VALUES (user_, 0) ON CONFLICT DO NOTHING;
          END LOOP;
          SELECT count(*) INTO live_subject FROM (
            SELECT 1 FROM ${s}.tasks WHERE live AND coalesce(subject, owner) = user_
              LIMIT highest_own
          ) AS t;
        END IF;
        who := owners_[i];
        LOOP
          SELECT stored INTO stored_own FROM ${s}.owners WHERE owner = who FOR UPDATE;
          EXIT WHEN FOUND;
          INSERT INTO ${s}.owners VALUES (who, 0) ON CONFLICT DO NOTHING;
        END LOOP;
        SELECT count(*) INTO live_own FROM (
          SELECT 1 FROM ${s}.tasks WHERE live AND coalesce(subject, owner) = user_ AND owner = who
            LIMIT highest_own
        ) AS t;
      END IF;

      IF keys[i] IS NOT NULL THEN
        UPDATE ${s}.tasks SET idempotency_key = NULL
          WHERE owner = who AND dialect = dialects[i] AND idempotency_key = keys[i]
            AND expires_at <= created_ats[i];
        SELECT t.summary, t.args, t.input, t.steps, t.outcome INTO earlier FROM ${s}.tasks t
          WHERE owner = who AND dialect = dialects[i] AND idempotency_key = keys[i];
        IF FOUND THEN
          verdict := 'existing';
          summary := earlier.summary;
          args := earlier.args;
          input := earlier.input;
          steps := earlier.steps;
          outcome := earlier.outcome;
          RETURN NEXT;
          CONTINUE;
        END IF;
      END IF;
      summary := NULL;
      args := NULL;
      input := NULL;
      steps := NULL;
      outcome := NULL;

      -- As capExceeded in runtime/tasks/limits.ts.
      verdict := CASE
        WHEN live_own >= caps_live_per_owner[i] THEN 'livePerOwner'
        WHEN live_subject >= caps_live_per_subject[i] THEN 'livePerSubject'
        WHEN stored_own >= caps_stored_per_owner[i] THEN 'storedPerOwner'
        WHEN stored_subject >= caps_stored_per_subject[i] THEN 'storedPerSubject'
        WHEN live_total >= caps_live[i] THEN 'live'
        WHEN live_subject >= caps_live_reserve[i] AND live_total >= caps_live_shared[i]
          THEN 'liveShared'
        ELSE 'inserted' END;
      IF verdict = 'inserted' THEN
        INSERT INTO ${s}.tasks (owner, dialect, id, version, live, worker, expires_at,
            idempotency_key, summary, args, input, steps, subject)
          VALUES (who, dialects[i], ids[i], versions[i], true, workers[i], expiries[i],
            keys[i], summaries[i], argss[i], inputs[i], stepss[i], nullif(user_, who));
        live_total := live_total + 1;
        live_subject := live_subject + 1;
        live_own := live_own + 1;
        stored_subject := stored_subject + 1;
        stored_own := stored_own + 1;
        added := added + 1;
      END IF;
      RETURN NEXT;
    END LOOP;
    IF added > 0 THEN
      UPDATE ${s}.owners SET stored = stored + added WHERE owner = who;
      UPDATE ${s}.subjects SET stored = stored + added WHERE subject = user_;
    END IF;
  END $$;

  -- Removes up to max_ tasks that are due, and says so in removals. One call at a time.
  CREATE FUNCTION ${s}.expire_tasks(due_ bigint, max_ integer) RETURNS SETOF bytea
  LANGUAGE plpgsql AS $$
  DECLARE
    class constant integer := '${s}.tasks'::regclass::oid::bigint::bit(32)::integer;
    subjects_ bytea[];
    each_ record;
  BEGIN
    PERFORM pg_advisory_xact_lock(class, -1);
    SELECT array_agg(DISTINCT d.subject ORDER BY d.subject) INTO subjects_
      FROM (SELECT coalesce(t.subject, t.owner) AS subject FROM ${s}.tasks t WHERE t.expires_at <= due_
            ORDER BY t.expires_at LIMIT max_) AS d;
    IF subjects_ IS NULL THEN RETURN; END IF;
    -- Subjects first and in order, as in insert_tasks: two calls never wait for each other.
    PERFORM 1 FROM ${s}.subjects u WHERE u.subject = ANY (subjects_) ORDER BY u.subject FOR UPDATE;
    FOR each_ IN
      WITH doomed AS (
        SELECT t.owner, t.dialect, t.id FROM ${s}.tasks t WHERE t.expires_at <= due_
          ORDER BY t.expires_at LIMIT max_
      ), gone AS (
        DELETE FROM ${s}.tasks t USING doomed d
          WHERE t.owner = d.owner AND t.dialect = d.dialect AND t.id = d.id
          RETURNING coalesce(t.subject, t.owner) AS subject, t.owner, t.dialect, t.id, t.summary
      ), logged AS (
        INSERT INTO ${s}.removals (owner, dialect, id) SELECT g.owner, g.dialect, g.id FROM gone g
      )
      SELECT g.subject, g.owner, count(*) AS n, array_agg(g.summary) AS summaries FROM gone g
        GROUP BY g.subject, g.owner ORDER BY g.subject, g.owner
    LOOP
      UPDATE ${s}.owners o SET stored = o.stored - each_.n WHERE o.owner = each_.owner;
      DELETE FROM ${s}.owners o WHERE o.owner = each_.owner AND o.stored <= 0;
      UPDATE ${s}.subjects u SET stored = u.stored - each_.n WHERE u.subject = each_.subject;
      DELETE FROM ${s}.subjects u WHERE u.subject = each_.subject AND u.stored <= 0;
      RETURN QUERY SELECT unnest(each_.summaries);
    END LOOP;
  END $$;
  `,
];
