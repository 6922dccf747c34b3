ALTER TABLE `members` ADD `personnel_ended_at_ms` bigint;
