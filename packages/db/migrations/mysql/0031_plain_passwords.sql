ALTER TABLE `members` ADD `password_is_plain` boolean DEFAULT false NOT NULL;
