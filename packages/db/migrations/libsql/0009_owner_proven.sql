ALTER TABLE `members` ADD `owner_proven_at_ms` integer;
