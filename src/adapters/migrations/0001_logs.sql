-- What is asked across missions: copies of the rows that the missions' objects hold.

CREATE TABLE missions (
  tenant TEXT NOT NULL,
  mission TEXT NOT NULL,
  version INTEGER NOT NULL,
  status TEXT NOT NULL,
  phase TEXT NOT NULL,
  fold TEXT NOT NULL,
  model TEXT,
  window_tokens INTEGER,
  percent REAL,
  zone TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  PRIMARY KEY (tenant, mission)
) STRICT;

CREATE INDEX missions_by_creation ON missions (tenant, created_at, mission);

CREATE TABLE masking (
  tenant TEXT NOT NULL,
  mission TEXT NOT NULL,
  id TEXT NOT NULL,
  at TEXT NOT NULL,
  line TEXT NOT NULL,
  masked INTEGER NOT NULL,
  percent REAL,
  PRIMARY KEY (tenant, mission, id)
) STRICT;

CREATE INDEX masking_by_time ON masking (tenant, at, mission, id);

CREATE TABLE masking_items (
  tenant TEXT NOT NULL,
  mission TEXT NOT NULL,
  run TEXT NOT NULL,
  pointer TEXT NOT NULL,
  call_id TEXT NOT NULL,
  tool TEXT NOT NULL,
  turn INTEGER NOT NULL,
  decision TEXT NOT NULL,
  ref TEXT,
  bytes INTEGER NOT NULL,
  tokens INTEGER NOT NULL,
  saved_tokens INTEGER NOT NULL,
  PRIMARY KEY (tenant, mission, run, pointer)
) STRICT;

CREATE INDEX masking_items_by_tool ON masking_items (tenant, tool, mission, run);

CREATE TABLE summaries (
  tenant TEXT NOT NULL,
  mission TEXT NOT NULL,
  id TEXT NOT NULL,
  at TEXT NOT NULL,
  line TEXT NOT NULL,
  turn_from INTEGER NOT NULL,
  turn_to INTEGER NOT NULL,
  saved_tokens INTEGER NOT NULL,
  percent REAL NOT NULL,
  PRIMARY KEY (tenant, mission, id)
) STRICT;

CREATE TABLE escalations (
  tenant TEXT NOT NULL,
  mission TEXT NOT NULL,
  id TEXT NOT NULL,
  at TEXT NOT NULL,
  trigger TEXT NOT NULL,
  status TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (tenant, mission, id)
) STRICT;

CREATE TABLE folds (
  tenant TEXT NOT NULL,
  mission TEXT NOT NULL,
  id TEXT NOT NULL,
  at TEXT NOT NULL,
  accepted INTEGER NOT NULL,
  fold_tokens INTEGER NOT NULL,
  trajectory_tokens INTEGER,
  fold_ratio REAL,
  PRIMARY KEY (tenant, mission, id)
) STRICT;

CREATE INDEX folds_by_time ON folds (tenant, at, mission, id);
